import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { errorReplyOf, parse } from '../test/parsed.ts';
import { RequestError } from './request-error.ts';
import { requestToken } from './request-token.ts';
import { parseBody, parseLargeBody } from './parse-body.ts';

describe('shapes of a body (contract/capture 1.5)', () => {
  const event = { event: 'e' };

  test('one event', () =>
    expect(parse({ ...event, historical_migration: true, sent_at: 's' })).toMatchObject({
      events: [event],
      historical: true,
      envelope: null,
      sentAt: 's',
    }));
  test('an array', () =>
    expect(parse([event, event])).toMatchObject({ events: [event, event], historical: false, envelope: null }));
  test('a batch', () =>
    expect(parse({ api_key: 'k', batch: [event], sent_at: 's' })).toMatchObject({
      events: [event],
      sentAt: 's',
      envelope: { api_key: 'k' },
    }));
  test('a byte order mark is no harm', () => expect(parse('\u{FEFF}{"event":"e"}')).toMatchObject({ events: [event] }));
  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    [null, false],
    [undefined, false],
  ])('historical_migration %j', (given, expected) => {
    expect(parse({ batch: [event], historical_migration: given }).historical).toBe(expected);
  });

  test.each([
    ['', 'notJson'],
    ['{', 'notJson'],
    ['{"a":1}x', 'notJson'],
    ['\0', 'notJson'],
    ['hello', 'notJson'],
    ['5', 'notAnEvent'],
    ['null', 'notAnEvent'],
    ['"text"', 'notAnEvent'],
    ['[]', 'emptyBatch'],
    ['{"batch":[]}', 'emptyBatch'],
    ['{"batch":{}}', 'batchNotAnArray'],
    ['{"batch":null}', 'batchNotAnArray'],
    ['['.repeat(10_001), 'tooDeep'],
    ['['.repeat(10_001) + ']'.repeat(10_001), 'tooDeep'],
    [`{"a":${'['.repeat(50_000)}`, 'tooDeep'],
    [`[${'1,'.repeat(10_000)}1]`, 'tooManyEvents'],
  ])('%.20s… is refused: %s', (body, reply) => {
    expect(errorReplyOf(() => parse(body))).toBe(reply);
  });

  test('a million keys in objects that look alike are fine, a quarter of a million in objects that do not are too many', () => {
    const rows = (name: (row: number, key: number) => string): string =>
      `[${Array.from({ length: 5001 }, (_, row) => `{${Array.from({ length: 51 }, (__, key) => `"${name(row, key)}":1`).join()}}`).join()}]`;
    expect(parse(rows((_, key) => `k${key}`)).events).toHaveLength(5001);
    expect(errorReplyOf(() => parse(rows((row, key) => `k${row}-${key}`)))).toBe('tooManyKeys');
  });

  test('10,000 levels are parsed', () => {
    expect(parse('['.repeat(10_000) + ']'.repeat(10_000)).events).toHaveLength(1);
  });

  test('invalid UTF-8 is refused', () => {
    expect(errorReplyOf(() => parseBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))).toBe('notUtf8');
  });

  test('no bytes make it fail in another way', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void errorReplyOf(() => parseBody(Buffer.from(bytes)))));
    const jsonish = fc
      .array(fc.constantFrom('{', '}', '[', ']', '"batch":', '"a"', ',', ':', '1', '[]', '{}'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(jsonish, (text) => void errorReplyOf(() => parse(text))),
      { numRuns: 2000 },
    );
  });
});

describe('the token of a request (contract/capture 1.5, 1.6)', () => {
  const tokenOf = (body: unknown): string => {
    try {
      const { envelope, events } = parse(body);
      return requestToken(envelope, events);
    } catch (error) {
      if (error instanceof RequestError) return `refused ${error.reply}`;
      throw error;
    }
  };

  test.each<[unknown, string]>([
    [{ api_key: 'a', event: 'e' }, 'a'],
    [{ token: 'a', event: 'e' }, 'a'],
    [{ $token: 'a', event: 'e' }, 'a'],
    [{ event: 'e', properties: { token: 'a' } }, 'a'],
    [{ api_key: ' a\n', event: 'e' }, 'a'],
    [{ api_key: 'a', batch: [{ token: 'b' }, { token: 'c' }] }, 'a'],
    [{ token: 'a', batch: [{}] }, 'a'],
    [{ batch: [{ properties: { token: 'a' } }, { properties: { token: 'a' } }] }, 'a'],
    [[{ token: 'a' }, 5, {}, { api_key: 'a' }], 'a'],
    [[{ token: 'a' }, { token: 'b' }], 'refused mixedTokens'],
    [{ batch: [{ token: 'a' }, { properties: { token: 'b' } }] }, 'refused mixedTokens'],
    [{ event: 'e' }, 'refused noToken'],
    [{ api_key: null, event: 'e' }, 'refused noToken'],
    [{ api_key: 5, event: 'e' }, 'refused noToken'],
    [[5], 'refused noToken'],
    [{ api_key: '', event: 'e' }, 'refused emptyToken'],
    [{ api_key: ' ', event: 'e' }, 'refused emptyToken'],
    [{ api_key: 'x'.repeat(64), event: 'e' }, 'x'.repeat(64)],
    [{ api_key: 'x'.repeat(65), event: 'e' }, 'refused longToken'],
    [{ api_key: 'tökén', event: 'e' }, 'refused foreignToken'],
    [{ api_key: 'phc_…', event: 'e' }, 'refused placeholderToken'],
    [{ api_key: 'YOUR_API_KEY', event: 'e' }, 'refused placeholderToken'],
    [{ api_key: 'phx_…', event: 'e' }, 'refused placeholderToken'],
    [{ api_key: 'phc_...', event: 'e' }, 'refused placeholderToken'],
    [{ api_key: '<token>', event: 'e' }, 'refused placeholderToken'],
    [{ api_key: 'phc_<your token>', event: 'e' }, 'refused placeholderToken'],
    [{ api_key: '$TOKEN', event: 'e' }, 'refused placeholderToken'],
    [{ api_key: 'a\0', event: 'e' }, 'refused nullByteToken'],
    [{ api_key: 'phx_abc', event: 'e' }, 'refused personalKey'],
  ])('%j', (body, expected) => {
    expect(tokenOf(body)).toBe(expected);
  });
});

describe('a large body is read in parts', () => {
  const event = (index: number) => ({
    event: `e${index}`,
    distinct_id: index,
    properties: { alias: 12345678901234567890n.toString(), text: 'ü'.repeat(3_000) },
    $set: { index },
  });
  const events = Array.from({ length: 700 }, (_, index) => event(index));
  const text = (value: unknown) => Buffer.from(JSON.stringify(value));
  const bodies = [
    text(events),
    text({ api_key: 'k', sent_at: 's', batch: events, token: 't' }),
    text({ batch: [1], x: 1, batch_: 0 }),
    text({ batch: events.slice(0, 300), historical_migration: true }),
  ];

  test('with the same result, whatever else is read in between', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      // With the fast scan, which has one memory for all.
      expect(parse([event(turns)]).events).toHaveLength(1);
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const read = await Promise.all(bodies.map((body) => parseLargeBody(body)));
    isDone = true;
    expect(read).toEqual(bodies.map((body) => parseBody(body)));
    expect(turns).toBeGreaterThan(5);
  });

  const keys = (count: number): string => Array.from({ length: count }, (_, index) => `"k${index}":1`).join();
  test.each<[string, string, string]>([
    ['cut short', JSON.stringify(events).slice(0, -1), 'notJson'],
    ['an error at the end', `${JSON.stringify(events)}x`, 'notJson'],
    ['too many events', JSON.stringify(Array.from({ length: 10_001 }, () => 'x'.repeat(100))), 'tooManyEvents'],
    [
      'one event of more than 4 MiB',
      JSON.stringify({ event: 'e', properties: { a: 'x'.repeat(5_000_000) } }),
      'eventTooLarge',
    ],
    ['too many keys', `{"batch":[{${keys(150_000)}},{${keys(150_000).replaceAll('k', 'j')}}]}`, 'tooManyKeys'],
    ['nested too deeply', `[${JSON.stringify('x'.repeat(2_000_000))},${'['.repeat(20_000)}]`, 'tooDeep'],
  ])('with the same errors: %s', async (_name, body, reply) => {
    const bytes = Buffer.from(body);
    expect(errorReplyOf(() => parseBody(bytes))).toBe(reply);
    await expect(parseLargeBody(bytes)).rejects.toMatchObject({ reply });
  });
});
