import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject } from './exact-json.ts';
import { JsonReader } from './json-reader.ts';
import { NameTable } from './name-table.ts';
import { NotJson } from './scalars.ts';

const members = new NameTable(['event', 'uuid', 'token', 'timestamp', '$set']);

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Result of `work` on the whole text; null when it is no JSON. */
function reading(text: string, work: (reader: JsonReader) => unknown): { value: unknown } | null {
  const reader = new JsonReader(Buffer.from(text), 10_000);
  try {
    reader.next();
    const value = work(reader);
    return reader.isAtEnd() ? { value } : null;
  } catch (error) {
    if (error instanceof NotJson) return null;
    throw error;
  }
}

/** Reads the members or elements one by one, the way events are read. */
function piecemeal(reader: JsonReader): unknown {
  const first = reader.next();
  if (first === 0x5b) {
    const elements: unknown[] = [];
    for (let more = reader.enter(1); more; more = reader.hasMore(0x5d)) elements.push(reader.read(1, 'x'));
    return elements;
  }
  if (first !== 0x7b) return reader.read(0, 'x');
  const found = {};
  for (let more = reader.enter(1); more; more = reader.hasMore(0x7d)) {
    const name = reader.key(members);
    const value = reader.read(1, 'x');
    if (name !== null) Object.assign(found, { [name]: value });
  }
  return found;
}

function picked(reader: JsonReader): unknown {
  if (reader.next() !== 0x7b) return reader.read(0, 'x');
  const found = {} as Record<(typeof members.names)[number], unknown>;
  reader.pick(0, members, found);
  return found;
}

/** Values of an object's members with known names. */
function known(parsed: { value: unknown } | null): { value: unknown } | null {
  if (!isJsonObject(parsed?.value)) return parsed;
  return { value: Object.fromEntries(Object.entries(parsed.value).filter(([name]) => members.named(name) !== null)) };
}

function expectAgreement(text: string): void {
  const expected = parsed(text);
  expect(reading(text, (reader) => reader.skip(0)) !== null).toBe(expected !== null);
  expect(reading(text, (reader) => reader.read(0, 'x'))).toEqual(expected);
  expect(reading(text, piecemeal)).toEqual(known(expected));
  expect(reading(text, picked)).toEqual(known(expected));
}

describe('the JSON reader agrees with JSON.parse', () => {
  test('about any pieces of JSON', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '1',
      '-',
      '0',
      '.',
      'e',
      'E+',
      'a',
      ' ',
      '\t',
      '\n',
      '\r',
      '\u000b',
      '\u00a0',
      '\0',
      'null',
      'true',
      'false',
      'nul',
      'falsex',
      '\\u00',
      '1f',
      'ü',
      '"a":1',
      '"event":',
      '"uuid":"\\n"',
      '"\\u0065vent":1',
      '{}',
      '[]',
      '"a"',
      '"\\n"',
      '"\\ud83d"',
    );
    const garbage = fc.array(piece).map((parts) => parts.join(''));
    fc.assert(fc.property(garbage, expectAgreement), { numRuns: 10_000 });
  });

  test('about JSON that was damaged in one place', () => {
    const put = fc.constantFrom('', ',', '"', '\\', '}', ']', '{', ':', '0', '-', '.', 'e', ' ', '\0', 'x', '\n');
    const key = fc.oneof(fc.string(), fc.constantFrom('event', 'uuid', 'token'));
    const json = fc
      .oneof(
        fc.json({ maxDepth: 4 }),
        fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })).map((value) => JSON.stringify(value)),
      )
      .chain((text) => fc.constantFrom(text, JSON.stringify(JSON.parse(text), null, 1)));
    fc.assert(
      fc.property(json, fc.nat(), fc.nat(2), put, (text, place, length, by) => {
        const at = place % text.length;
        expectAgreement((text.slice(0, at) + by + text.slice(at + length)).toWellFormed());
      }),
      { numRuns: 10_000 },
    );
  });

  test.each([
    '0',
    '-0',
    '01',
    '-',
    '-a',
    '1.',
    '.5',
    '1e',
    '1e+',
    '1E-5',
    '1.5e10',
    '1.5E+10',
    '+1',
    '0x1',
    '1_0',
    '12345678901234567890',
    '1e999',
    'tru',
    'truex',
    'True',
    'NaN',
    'null ',
    ' null',
    'fals',
    'nulL',
    '"\\u12G4"',
    '"\\u12"',
    '"\\u',
    '"\\',
    '"\\x"',
    '"a\tb"',
    '"\u007f"',
    '"\\/"',
    '"\\ud800"',
    '"\u2028"',
    '[1,]',
    '[,1]',
    '{"a":1,}',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{"a" :\n1}',
    '{a:1}',
    '{1:1}',
    '[1 2]',
    '{"a":1 "b":2}',
    '[}',
    '{]',
    '[[]',
    '[]]',
    '{}{}',
    '',
    ' ',
    '"',
    '[1]\u00a0',
    '[1]\n ',
    '//',
    '[1/**/]',
    '{"__proto__":1}',
    '{"event":"a\\n","event":"b"}',
    '{"event":{"event":1},"uuid":[{}]}',
    String.raw`{"\u0065vent":"x","a\n":1,"uuid":"y"}`,
    '{"a":{"b":[[],{}]}}',
  ])('about %j', (text) => expectAgreement(text));
});

test('levels are counted as they are met, and none beyond the limit is entered', () => {
  const reader = new JsonReader(Buffer.from('[[{"a":[]}],1]'), 4);
  reader.skip(0);
  expect(reader).toMatchObject({ deepest: 4, keys: 1 });
  const bounded = new JsonReader(Buffer.from('['.repeat(1000)), 100);
  expect(() => bounded.skip(0)).toThrow(NotJson);
  expect(bounded.deepest).toBe(101);
});
