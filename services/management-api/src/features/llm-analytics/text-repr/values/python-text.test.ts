import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonText } from './parse-json.ts';
import { fixedDecimals, numberText } from './python-numbers.ts';
import { json, json2, pystr } from './python-text.ts';
import forms from './testing/python-forms.json' with { type: 'json' };

// Recorded from Python 3.11 by testing/record-python-forms.py: json.dumps(value), json.dumps(value, indent=2), repr(value).
const values = forms.values as [dumped: string, indented: string, repr: string][];
const fixed = forms.fixed as [value: number, places: number, text: string][];

/** A text inside a list, where `pystr` writes it as `repr` does. */
function repr(value: unknown): string {
  return pystr([value]).slice(1, -1);
}

test('values whose JSON text was parsed here print as Python prints them', () => {
  const printed = values.map(([dumped]) => {
    const value = parseJsonText(dumped);
    return [json(value), json2(value), repr(value)];
  });
  expect(printed).toEqual(values);
});

test('posted values print as Python prints them, but for keys that are whole numbers', () => {
  const posted = values.filter(([dumped]) => !/"\d+":/.test(dumped));
  expect(posted.length).toBeGreaterThan(400);
  const printed = posted.map(([dumped]) => {
    const value: unknown = JSON.parse(dumped);
    return [json(value), json2(value), repr(value)];
  });
  expect(printed).toEqual(posted);
});

test('fixed decimals round as in Python', () => {
  expect(fixed.map(([value, places]) => [value, places, fixedDecimals(value, places)])).toEqual(fixed);
});

test('numbers that JSON does not have', () => {
  expect([Infinity, -Infinity, NaN].map((value) => json(value))).toEqual(['Infinity', '-Infinity', 'NaN']);
  expect([Infinity, -Infinity, NaN].map(numberText)).toEqual(['inf', '-inf', 'nan']);
  expect([Infinity, NaN].map((value) => fixedDecimals(value, 2))).toEqual(['inf', 'nan']);
});

test('a text at the top stands as it is', () => {
  expect(pystr("it's\n")).toBe("it's\n");
});

test('any value reads back from its JSON texts', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(JSON.parse(json(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(JSON.parse(json2(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(json2(parseJsonText(json2(value)))).toBe(json2(parseJsonText(json(value))));
    }),
  );
});

test('10,000 levels cost no stack', () => {
  const text = '[{"a": '.repeat(5000) + '1.0' + '}]'.repeat(5000);
  const value = parseJsonText(text);
  expect(json(value)).toBe(text);
  expect(pystr(value)).toBe(text.replaceAll('"', "'"));
  expect(json2(value).replaceAll(/\s/g, '')).toBe(text.replaceAll(' ', ''));
  // 200 levels have lines of their own.
  expect(json2(value).split('\n')).toHaveLength(401);
});
