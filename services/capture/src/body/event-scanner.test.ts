import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import wabt from 'wabt';
import { v0PropertyMembers } from './known-members.ts';
import { scanBody } from './scan-body.ts';
import { EventScanner, fastScanBytesMax } from './event-scanner.ts';

const file = (name: string): string => join(import.meta.dirname, name);

test('the module in git is assembled from event-scanner.wat', async () => {
  const parsed = (await wabt()).parseWat('event-scanner.wat', readFileSync(file('event-scanner.wat'), 'utf8'));
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  expect(Buffer.from(buffer).equals(readFileSync(file('event-scanner.wasm')))).toBe(true);
});

const scannedEnd = (text: string, batchToo = true): number => {
  const scanner = new EventScanner(v0PropertyMembers);
  scanner.load(Buffer.from(text));
  return scanner.scan(0, batchToo);
};

describe('the fast scan', () => {
  test('declines what it cannot report: deep events, many members with known names, a batch where one may be', () => {
    const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(scannedEnd(nested(64))).toBe(nested(64).length);
    expect(scannedEnd(nested(65))).toBe(0);
    const members = (count: number): string => `{${'"event":1,'.repeat(count - 1)}"event":1}`;
    expect(scannedEnd(members(188))).toBe(members(188).length);
    expect(scannedEnd(members(189))).toBe(0);
    for (const text of ['{"batch":[]}', String.raw`{"b\u0061tch":[]}`]) {
      expect(scannedEnd(text)).toBe(text.length);
      expect(scannedEnd(text, false)).toBe(0);
    }
  });

  test('ends where the event does, and sees nothing that a longer body has left behind', () => {
    const event = String.raw`{"event":"a\u00e9 long name, and","x":[true,false,null,-1.5e+10],"properties":{"alias":"\\"}}`;
    const scanner = new EventScanner(v0PropertyMembers);
    scanner.load(Buffer.from(`${event}${event}`));
    expect(scanner.scan(0, true)).toBe(event.length);
    expect(scanner.scan(event.length, true)).toBe(2 * event.length);
    for (let length = event.length - 1; length > 0; length--) {
      scanner.load(Buffer.from(event));
      scanner.load(Buffer.from(event.slice(0, length)));
      expect(scanner.scan(0, true)).toBe(0);
    }
  });
});

const long = Buffer.alloc(fastScanBytesMax + 1);

/** The same body alone, and with so many blanks after it that it is too large for the fast scan. */
function scannedBoth(text: string): { scanned: unknown; read: unknown } {
  long.fill(' ', long.write(text));
  return { scanned: scanBody(Buffer.from(text), 10, 100), read: scanBody(long, 10, 100) };
}

describe('a body is scanned to the same result with the fast scan and without it', () => {
  const name = fc.constantFrom(
    'event',
    'uuid',
    'distinct_id',
    'properties',
    '$set',
    'batch',
    'alias',
    '$groups',
    'a',
    'ü',
    'a"\\b',
    '__proto__',
  );
  const event = fc.dictionary(
    name,
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }))),
  );
  const put = fc.constantFrom(
    '',
    ',',
    '"',
    '\\',
    '\\u0041',
    '}',
    ']',
    '{',
    ':',
    '0',
    '-',
    '.',
    'e',
    ' ',
    '\0',
    'x',
    '\n',
    '"alias":1,',
  );

  test('whatever it is, whole or damaged in one place', () => {
    fc.assert(
      fc.property(
        fc.array(event),
        fc.constantFrom('event', 'array', 'batch'),
        fc.constantFrom(undefined, 1),
        fc.nat(),
        fc.nat(2),
        put,
        (events, form, indent, place, length, by) => {
          const body = form === 'batch' ? { token: 't', batch: events } : form === 'array' ? events : (events[0] ?? {});
          const text = JSON.stringify(body, null, indent);
          const at = place % text.length;
          for (const one of [text, (text.slice(0, at) + by + text.slice(at + length)).toWellFormed()]) {
            const { scanned, read } = scannedBoth(one);
            expect(scanned).toEqual(read);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    '{"event":"a","event":{"b":1},"properties":{"alias":12345678901234567890},"properties":{"alias":[1]}}',
    '{"properties":null,"uuid":5,"$set":{"alias":1},"$unset":[]}',
    '{"properties":[{"alias":1}]}',
    '{"a":{"alias":1},"properties":{"alias":2,"b":{"alias":3}},"c":{"alias":4}}',
    String.raw`[{"\u0065vent":"\n","properties":{"\u0061lias":"\ud800"}}]`,
    '{"a":[[[[[[[[[1]]]]]]]]]}',
    '{"a":[[[[[[[[[[1]]]]]]]]]]}',
    '[{},{"a":[]},[{}],1]',
    ' { } ',
    '{"a" : 1 , "b" : [ ] }',
  ])('%s', (text) => {
    const { scanned, read } = scannedBoth(text);
    expect(scanned).toEqual(read);
  });
});
