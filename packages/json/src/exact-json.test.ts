import { describe, expect, test } from '@jest/globals';
import { isJsonObject, jsonTypeName, parseAsWritten, parseJson, rawNumber } from './exact-json.ts';
import { numberCases } from './testing/number-cases.ts';

describe('numbers that lose digits in JSON.parse', () => {
  test.each(numberCases)('%s is %s as a value and %s as an id, wherever it stands', (written, value, id) => {
    const around = (number: string): string => `{"deep":[{"n":${number}},${number} , {"n" : ${number} }, ${number}]}`;
    const printed = (number: string): string => around(number).replaceAll(' ', '');
    expect([JSON.stringify(parseJson(written)), JSON.stringify(parseJson(around(written)))]).toEqual([
      value,
      printed(value),
    ]);
    expect([JSON.stringify(parseAsWritten(written)), JSON.stringify(parseAsWritten(around(written)))]).toEqual([
      id,
      printed(id),
    ]);
  });

  test.each(['9007199254740991', '0.1234567890123456789', '1e300', '"1234567890123456789"', '"1e999"'])(
    '%s is an ordinary value',
    (text) => {
      expect(parseJson(text)).toBe(JSON.parse(text));
    },
  );

  test('a number that was kept is a number, not an object', () => {
    const value = parseJson('12345678901234567890');
    expect(rawNumber(value)).toBe('12345678901234567890');
    expect([isJsonObject(value), jsonTypeName(value)]).toEqual([false, 'number']);
  });

  test('and what only looks like one is an object', () => {
    const value = parseJson('{"rawJSON":"1"}');
    expect([isJsonObject(value), rawNumber(value), jsonTypeName(value)]).toEqual([true, null, 'object']);
    expect([[], null, 1, 'x', undefined].map(isJsonObject)).toEqual([false, false, false, false, false]);
  });
});
