import { describe, expect, test } from '@jest/globals';
import { propertyMap as mapColumn, utf8 as textColumn } from '@millrace/clickhouse/insert/columns.ts';
import { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import fc from 'fast-check';
import { ClientProperties } from './client-properties.ts';
import { isJsonObject, type JsonObject } from '@millrace/json/exact-json.ts';
import { appendMember, withoutMembers } from '@millrace/json/splice.ts';
import { propertyMap } from './property-map.ts';
import { readJson } from '@millrace/json/read-json.ts';
import { scanProperties } from './scan-properties.ts';
import { watchedNames } from './watched-names.ts';

/** The properties parsed whole: what the scan must agree with. */
function parsed(body: Buffer): JsonObject | null {
  try {
    const value = readJson(body.toString());
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Entries of a map that ClickHouse would read from a column's bytes, in any order. */
function entriesOf(bytes: Buffer): [string, string | null][] {
  let at = 0;
  const length = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const text = (): string => {
    const size = length();
    at += size;
    return bytes.toString('utf8', at - size, at);
  };
  const entries = Array.from({ length: length() }, (): [string, string | null] => [
    text(),
    bytes[at++] === 1 ? null : text(),
  ]);
  expect(at).toBe(bytes.length);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

function mapBytes(value: Parameters<typeof mapColumn.write>[1]): Buffer {
  const writer = new RowWriter(16);
  mapColumn.write(writer, value);
  return Buffer.from(writer.written);
}

function textOf(value: Parameters<typeof textColumn.write>[1]): string {
  const writer = new RowWriter(16);
  textColumn.write(writer, value);
  const bytes = writer.written;
  return bytes.toString('utf8', bytes.findIndex((byte) => byte < 128) + 1);
}

// None begins with a backslash: once an object has had such a name, V8 takes escaped names for it that come in its place.
const names = fc.oneof(
  fc.constantFrom(
    'a',
    '',
    '1',
    '0',
    '__proto__',
    'constructor',
    'é',
    'x'.repeat(127),
    'x'.repeat(128),
    '😀',
    '\ud800',
    '\0',
    '"',
    'a\\',
  ),
  fc.constantFrom(...watchedNames.names),
  fc.string({ unit: 'binary', maxLength: 8 }).filter((name) => !name.startsWith('\\')),
);
const texts = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      'a'.repeat(127),
      'a'.repeat(128),
      'é'.repeat(64),
      'x'.repeat(8192),
      'x'.repeat(8193),
      'ﷺ'.repeat(2731),
      '\ud83d',
      '😀',
      'a\0b',
      '/',
      '\u2028',
      'Zürich',
      '"quoted"',
    ),
  )
  .chain((text) => fc.constantFrom(JSON.stringify(text), escaped(text), JSON.stringify(text).replaceAll('/', '\\/')));
/** Mostly the first, so that most of what is made of many is as it should be. */
function rarely<Value>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ arbitrary: usual, weight: 199 }, { arbitrary: odd, weight: 1 });
}

const wrongNumbers = fc.constantFrom('01', '1.', '.5', '-', '+1', '1--2', '-01', '1.e1', '1e');
const numbers = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '-1',
    '1.0',
    '0.10',
    '1e2',
    '1E+2',
    '1e999',
    '-1e-999',
    '0.000001',
    '0.0000001',
    '0.0000010',
    '-0.5',
    '123456789012345',
    '1234567890123456',
    '12345678901234567890',
    '0.123456789012345',
    '0.12345678901234567',
    '9007199254740993',
    '1e21',
    '1.5e300',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
);
const blank = rarely(fc.constantFrom('', '', '', ' ', '\n\t', '\r '), fc.constantFrom('\f', '\ufeff'));

/**
 * A text, and the same with no name of a member escaped: V8 misreads some that are, so of a text that is scanned the other is
 * what it is asked about. What the scan declines, V8 reads in any case.
 */
interface Written {
  text: string;
  plain: string;
}
const both = (text: string): Written => ({ text, plain: text });
const joined = (parts: readonly Written[], between: string): Written => ({
  text: parts.map(({ text }) => text).join(between),
  plain: parts.map(({ plain }) => plain).join(between),
});
const around = (before: string, { text, plain }: Written, behind: string): Written => ({
  text: before + text + behind,
  plain: before + plain + behind,
});
const writtenNames = names.chain((name) =>
  fc
    .constantFrom(JSON.stringify(name), JSON.stringify(name), JSON.stringify(name), escaped(name))
    .map((text) => ({ text, plain: JSON.stringify(name) })),
);

const { value, object } = fc.letrec<{ value: Written; object: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts.map(both),
    rarely(numbers, wrongNumbers).map(both),
    rarely(fc.constantFrom('true', 'false', 'null'), fc.constantFrom('tru', 'nul', 'nulL', 'undefined', '')).map(both),
    fc.array(tie('value'), { maxLength: 2 }).map((items) => around('[', joined(items, ','), ']')),
    tie('object'),
  ),
  object: fc.array(fc.tuple(blank, writtenNames, blank, tie('value'), blank), { maxLength: 4 }).map((members) =>
    around(
      '{',
      joined(
        members.map(([before, name, behind, inner, last]) =>
          joined([both(before), name, both(`${behind}:${behind}`), inner, both(last)], ''),
        ),
        ',',
      ),
      '}',
    ),
  ),
}));

/** Every UTF-16 unit as an escape. */
function escaped(text: string): string {
  return `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
}

/** Texts that look like properties, some of them with a byte changed, one more or one less. */
const bodies = fc.oneof(
  {
    arbitrary: fc
      .tuple(blank, object, blank)
      .map(([before, written, behind]) => around(before, written, behind))
      .map(asBytes),
    weight: 4,
  },
  {
    arbitrary: fc
      .tuple(object, fc.nat(), fc.nat(255), fc.nat(2))
      .map(([{ plain }, at, byte, kind]) => damaged(Buffer.from(plain), at, byte, kind))
      .map((body) => ({ body, plain: body })),
    weight: 2,
  },
  value.map(asBytes),
);

function asBytes({ text, plain }: Written): { body: Buffer; plain: Buffer } {
  return { body: Buffer.from(text), plain: Buffer.from(plain) };
}

function damaged(bytes: Buffer, number: number, byte: number, kind: number): Buffer {
  const at = number % bytes.length;
  const inserted = kind === 2 ? [] : [byte];
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(kind === 0 ? at : at + 1)]);
}

describe('properties that are read without being parsed are those that parsing gives', () => {
  test('for any text: the same verdict, map, values and text', () => {
    let scanned = 0;
    fc.assert(
      fc.property(
        bodies.filter(({ body }) => body.length > 0),
        ({ body, plain }) => {
          const expected = parsed(scanProperties(body) === null ? body : plain);
          const properties = ClientProperties.read(body);
          if (scanProperties(body) !== null) scanned++;
          expect(properties === null).toBe(expected === null);
          if (properties === null || expected === null) return;
          expect(entriesOf(mapBytes(properties.map))).toEqual(entriesOf(mapBytes(propertyMap(expected))));
          expect(textOf(properties.column)).toBe(body.toString());
          expect(properties.text).toBe(body.toString());
          const watched = Object.entries(expected).filter(([name]) => watchedNames.indexOf(name) !== -1);
          expect(watchedNames.names.filter((name) => properties.has(name)).sort()).toEqual(
            watched.map(([name]) => name).sort(),
          );
          expect(watched.map(([name]) => [name, properties.get(name)])).toEqual(watched);
          expect(
            watchedNames.names.filter((name) => !properties.has(name) && properties.get(name) !== undefined),
          ).toEqual([]);
          const picked = new Map<string, unknown>();
          properties.pick(new Set(watchedNames.names), (name, value) => picked.set(name, value));
          expect(Object.fromEntries(picked)).toEqual(Object.fromEntries(watched));
          expect({ ...properties.values }).toEqual({ ...expected });
        },
      ),
      { numRuns: 2_000 },
    );
    expect(scanned).toBeGreaterThan(500);
  });

  test('and the same after members were added and taken out', () => {
    const changes = fc.array(
      fc.tuple(
        fc.constantFrom('$ip', '$group_0', '$set', '$verified', 'a'),
        fc.option(fc.constantFrom<unknown>('1.2.3.4', 'ü"\\', 5, null, { x: [1] })),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(
        object.map(({ plain }) => Buffer.from(plain)),
        changes,
        (body, wanted) => {
          const expected = parsed(body);
          const properties = ClientProperties.read(body);
          if (properties === null || expected === null) return;
          let text = body.toString();
          for (const [name, change] of wanted) {
            if (Object.hasOwn(expected, name)) text = withoutMembers(Buffer.from(text), [name]).toString();
            delete expected[name];
            if (change === null) properties.remove([name]);
            else {
              properties.replace(name, change);
              expected[name] = change;
              text = appendMember(text, name, JSON.stringify(change));
            }
          }
          expect(properties.text).toBe(text);
          expect(textOf(properties.column)).toBe(text);
          expect(entriesOf(mapBytes(properties.map))).toEqual(entriesOf(mapBytes(propertyMap(expected))));
          for (const name of ['$ip', '$group_0', '$set', '$verified', 'a'])
            expect(properties.get(name)).toEqual(Object.hasOwn(expected, name) ? expected[name] : undefined);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('of what is too much for the scan nothing is lost', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])));
    expect(scanProperties(Buffer.from(many))).toBeNull();
    expect(entriesOf(mapBytes((ClientProperties.read(Buffer.from(many)) as ClientProperties).map))).toHaveLength(300);
    const large = Buffer.from(
      JSON.stringify({
        first: 1,
        large: ['1e20'.repeat(1000), 1e20],
        text: 'x'.repeat(300_000),
        last: 'é'.repeat(200),
      }),
    );
    expect(scanProperties(large)).not.toBeNull();
    expect(entriesOf(mapBytes((ClientProperties.read(large) as ClientProperties).map)).map(([name]) => name)).toEqual([
      'first',
      'large',
      'last',
    ]);
  });
});
