import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EventSpan } from './body-scan.ts';
import { scanBody } from './scan-body.ts';

const scan = (text: string, depthMax = 10_000, itemsMax = 10_000) => scanBody(Buffer.from(text), depthMax, itemsMax);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, one) => sum + keysOf(one), own);
}

function textOf(text: string, span: { start: number; end: number } | null): string | null {
  return span === null ? null : Buffer.from(text).toString('utf8', span.start, span.end);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** JSON text with blanks strewn between its parts, as printers of all kinds leave them. */
const anyText = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([json, indent]) => JSON.stringify(JSON.parse(json), null, indent));

function expectSpans(text: string, span: EventSpan, event: unknown): void {
  expect(JSON.parse(textOf(text, span) ?? '')).toEqual(event);
  expect(span.depth).toBe(depthOf(event));
  const record = (typeof event === 'object' && event !== null && !Array.isArray(event) ? event : {}) as Record<
    string,
    unknown
  >;
  for (const [field, key] of [
    ['properties', 'properties'],
    ['set', '$set'],
    ['setOnce', '$set_once'],
    ['unset', '$unset'],
  ] as const) {
    const found = textOf(text, span[field]);
    if (Object.hasOwn(record, key)) expect(JSON.parse(found ?? '')).toEqual(record[key]);
    else expect(found).toBeNull();
  }
}

describe('the body scan', () => {
  test('finds the same events, values and depths as the JSON parser, whatever the values are', () => {
    const key = fc.constantFrom(
      'properties',
      '$set',
      '$set_once',
      '$unset',
      'batch',
      'event',
      '__proto__',
      'a"\\b',
      'ü',
    );
    const event = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })));
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom(undefined, 1, '\t'), fc.boolean(), (given, indent, inBatch) => {
        const text = JSON.stringify(inBatch ? { token: 'x', batch: given, sent_at: 'y' } : given, null, indent);
        const parsed = JSON.parse(text) as { batch: unknown[] } | unknown[];
        const events = Array.isArray(parsed) ? parsed : parsed.batch;
        const { items, complete } = scan(text);
        expect(complete).toBe(true);
        expect(items).toHaveLength(events.length);
        events.forEach((one, index) => expectSpans(text, items?.[index] as EventSpan, one));
      }),
    );
  });

  test('is complete for every JSON text, and sees its depth and its keys', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { complete, whole, deepest, keys } = scan(text);
        expect(complete).toBe(true);
        expect(deepest).toBe(depthOf(JSON.parse(text)));
        expect(keys).toBe(keysOf(JSON.parse(text)));
        expect(JSON.parse(textOf(text, whole) ?? '')).toEqual(JSON.parse(text));
      }),
    );
  });

  test('gives up on exactly what the JSON parser refuses', () => {
    const garbage = fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          ',',
          ':',
          '\\',
          '1',
          'a',
          ' ',
          '"properties"',
          '"properties":{"alias":',
          '"batch":[',
          '"event":',
          'null',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(garbage, (text) => expect(scan(text).complete).toBe(isJson(text))),
      { numRuns: 5000 },
    );
  });

  test('so it does when an event was damaged in one place', () => {
    const event = fc.record({
      event: fc.string(),
      properties: fc.dictionary(fc.constantFrom('a', 'alias', '$groups', 'ü'), fc.jsonValue({ maxDepth: 2 })),
    });
    const put = fc.constantFrom('', ',', '"', '\\', '}', ']', '{', ':', '0', '-', 'e', ' ', '\0', 'x');
    fc.assert(
      fc.property(fc.array(event), fc.boolean(), fc.nat(), fc.nat(2), put, (events, inBatch, place, length, by) => {
        const text = JSON.stringify(inBatch ? { batch: events } : events);
        const at = place % text.length;
        const damaged = (text.slice(0, at) + by + text.slice(at + length)).toWellFormed();
        expect(scan(damaged).complete).toBe(isJson(damaged));
      }),
      { numRuns: 5000 },
    );
  });

  test('takes out what capture looks at, whatever stands around it, and nothing else', () => {
    const known = {
      distinct_id: { a: [1] },
      $groups: { g: 'x' },
      alias: 'ü\n',
      $insert_id: 1e30,
      $ignore_sent_at: true,
      $session_id: null,
    };
    const event = {
      uuid: 'u',
      junk: [1, { event: 'no' }],
      event: 'e',
      properties: { a: 1, ...known, b: { distinct_id: 2 }, ü: 1 },
      timestamp: 't',
      $set: { s: 1 },
    };
    const expected = { uuid: 'u', event: 'e', properties: known, timestamp: 't' };
    for (const indent of [undefined, 2]) {
      const { value } = scan(
        JSON.stringify({ other: 1, api_key: 'k', batch: [event, 5, [event], event], sent_at: 's' }, null, indent),
      );
      expect(value).toEqual({ api_key: 'k', batch: [expected, null, null, expected], sent_at: 's' });
    }
    expect(scan(String.raw`{"event":"e","prop\u0065rties":{"d\u0069stinct_id":"d"}}`).value).toEqual({
      event: 'e',
      properties: { distinct_id: 'd' },
    });
    expect(scan('{"properties":[1],"event":2}').value).toEqual({ properties: false, event: 2 });
    expect(scan('{"properties":null,"properties":{"alias":1},"batch":{}}').value).toEqual({
      properties: { alias: 1 },
      batch: false,
    });
  });

  test('of equal keys the last one wins, as in JSON.parse', () => {
    const text = '{"properties":{"a":1},"event":"e","properties":{"a":2}}';
    expect(textOf(text, scan(text).whole.properties)).toBe('{"a":2}');
    expect(scan('{"batch":[1,2],"batch":[3]}').items).toHaveLength(1);
    expect(scan('{"batch":[1,2],"batch":5}').items).toBeNull();
  });

  test('knows keys that are written with escapes', () => {
    const text = String.raw`{"b\u0061tch":[{"prop\u0065rties":{"x":1}}]}`;
    expect(textOf(text, scan(text).items?.[0]?.properties ?? null)).toBe('{"x":1}');
  });

  test('only the top level may hold a batch', () => {
    expect(scan('{"properties":{"batch":[1,2]}}').items).toBeNull();
    expect(scan('[{"batch":[1,2,3]}]').items).toHaveLength(1);
  });

  test('stops beyond the deepest level allowed, in events, batches and scalars alike (contract/decisions 26)', () => {
    for (const text of ['['.repeat(12), `{"batch":[{"properties":${'['.repeat(9)}`, `{"a":${'{"a":'.repeat(10)}`]) {
      expect(scan(text, 10)).toMatchObject({ complete: false, deepest: 11 });
    }
    expect(scan('['.repeat(10) + ']'.repeat(10), 10)).toMatchObject({ complete: true, deepest: 10 });
  });

  test('stops behind the last element allowed, in arrays and batches', () => {
    expect(scan('[1,2,3]', 10, 3)).toMatchObject({ complete: true, overfull: false });
    expect(scan('[1,2,3,4', 10, 3)).toMatchObject({ complete: false, overfull: true });
    expect(scan('{"batch":[1,2,3,4', 10, 3)).toMatchObject({ complete: false, overfull: true });
    expect(scan('{"properties":[1,2,3,4]}', 10, 3)).toMatchObject({ complete: true, overfull: false });
  });

  test('a million open brackets are refused in milliseconds', () => {
    const before = process.cpuUsage();
    expect(scanBody(Buffer.alloc(1_000_000, '['), 10_000, 10_000).deepest).toBe(10_001);
    expect(process.cpuUsage(before).user).toBeLessThan(200_000);
  });
});
