// Bodies that a hostile or broken client can send: a documented reply, bounded time and memory, and others served meanwhile.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { leastOf } from '@millrace/runtime/testing/least-of.ts';
import { expectServing, good } from './test/good-event.ts';
import { eventOf, startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';

const inflatedBytesMax = 16_000_000;
let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture({ inflatedBytesMax, bodyIdleMsMax: 400, bodyTotalMsMax: 1500 });
});
afterAll(() => capture.close());

describe('slow and broken connections', () => {
  const start = (text: string): Socket => {
    const socket = connect(Number(new URL(capture.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    return socket;
  };
  const responseOf = async (socket: Socket): Promise<string> => {
    let reply = '';
    socket.on('data', (data: Buffer) => (reply += data.toString()));
    await once(socket, 'close');
    return reply;
  };
  const head = 'POST /batch/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';

  test('300 bodies that stall are all answered with 408, and others are served meanwhile', async () => {
    const worstMs = await leastOf(3, 1000, async () => {
      const responses = Promise.all(Array.from({ length: 300 }, () => responseOf(start(`${head}{"a"`))));
      const tookMs: number[] = [];
      for (let turn = 0; turn < 30; turn++) {
        const started = performance.now();
        await expectServing(capture);
        tookMs.push(performance.now() - started);
      }
      for (const result of await responses) expect(result).toMatch(/^HTTP\/1\.1 408 /);
      return Math.max(...tookMs);
    });
    expect(worstMs).toBeLessThan(1000);
  });

  test('a body that trickles for ever is cut off at its total time', async () => {
    const socket = start(head);
    const trickle = setInterval(() => socket.write(' '), 50);
    const started = performance.now();
    try {
      expect(await responseOf(socket)).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(trickle);
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('clients that leave in the middle of a body leave nothing behind', async () => {
    for (let index = 0; index < 50; index++) start(`${head}{"a":"${'x'.repeat(500)}`).destroySoon();
    await expectServing(capture);
    const inFlight = async (): Promise<string> =>
      /millrace_capture_bytes_in_flight\S* (\d+)/.exec(
        await (await fetch(`${capture.operationsUrl}/metrics`)).text(),
      )?.[1] ?? '';
    const deadline = performance.now() + 5000;
    while ((await inFlight()) !== '0') if (performance.now() > deadline) throw new Error('bytes stay in flight');
  });

  test.each([
    'Transfer-Encoding: chunked\r\n\r\nZZ\r\n',
    'Content-Length: -5\r\n\r\n',
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    `X: ${'y'.repeat(20_000)}\r\n\r\n`,
  ])('what is no HTTP: %#', async (rest) => {
    expect(await responseOf(start(`POST /batch/ HTTP/1.1\r\nHost: x\r\n${rest}`))).toMatch(/^HTTP\/1\.1 4(00|31) /);
    await expectServing(capture);
  });
});

// Each kind of bomb: bombs.alone.test.ts.
describe('bombs', () => {
  test('40 bodies of a bracket and blanks do not delay a good large one: it is accepted, or soon gets a 503', async () => {
    const blanks = gzipSync(`[${' '.repeat(inflatedBytesMax - 100)}`);
    const large = gzipSync(
      JSON.stringify(good('large', { properties: { a: Array.from({ length: 40_000 }, Math.random) } })),
      { level: 1 },
    );
    const others = Promise.all(Array.from({ length: 40 }, () => capture.post('/batch/', blanks)));
    let replies = 0;
    const started = performance.now();
    for (; replies < 30; replies++) {
      const response = await capture.post('/batch/', large);
      if (response.status !== 503) {
        expect(response.status).toBe(200);
        break;
      }
      expect([((await response.json()) as { code: string }).code, response.headers.get('retry-after')]).toEqual([
        'overloaded',
        '1',
      ]);
    }
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(replies).toBeLessThan(30);
    for (const { status } of await others) expect([400, 503]).toContain(status);
  });

  test('a gzip in a gzip is not opened', async () => {
    expect((await capture.post('/batch/', gzipSync(gzipSync(JSON.stringify(good('nested')))))).status).toBe(400);
  });
});

describe('shapes', () => {
  const nested = (levels: number, open: string, close: string, inside = '1'): string =>
    open.repeat(levels) + inside + close.repeat(levels);

  test.each<[string, string, number]>([
    ['a million arrays in each other', nested(1_000_000, '[', ']'), 400],
    ['a million objects in each other', nested(1_000_000, '{"a":', '}'), 400],
    ['a million arrays that never close', '['.repeat(1_000_000), 400],
    [
      'a million arrays in the properties',
      JSON.stringify(good('deep', { properties: 0 })).replace(
        '"properties":0',
        `"properties":{"a":${nested(1_000_000, '[', ']')}}`,
      ),
      400,
    ],
    [
      '9,000 levels: dropped alone',
      `{"api_key":"${token}","batch":[{"event":"e","distinct_id":"d","properties":{"a":${nested(9000, '[', ']')}}}]}`,
      200,
    ],
    [
      'a million keys',
      `{"api_key":"${token}","event":"e","distinct_id":"d","properties":{${Array.from({ length: 1_000_000 }, (_, key) => `"k${key}":1`).join()}}}`,
      413,
    ],
    ['a million elements', `[${'{},'.repeat(1_000_000)}{}]`, 413],
    [
      'seven million numbers',
      JSON.stringify(good('numbers', { properties: 0 })).replace(
        '"properties":0',
        `"properties":{"a":[${'1,'.repeat(7_000_000)}1]}`,
      ),
      413,
    ],
    ['a string of 15 MB', JSON.stringify(good('long', { properties: { a: 'x'.repeat(15_000_000) } })), 413],
    ['an id of 900 kB: cut', JSON.stringify(good('👍'.repeat(225_000))), 200],
    ['a token of 1 MB', JSON.stringify({ ...good('d'), api_key: 'x'.repeat(1_000_000) }), 401],
    ['a query of 10 kB', '', 400],
  ])('%s', async (name, body, status) => {
    const path = name.startsWith('a query') ? `/e/?data=${'A'.repeat(10_000)}` : '/batch/';
    const started = performance.now();
    expect((await capture.post(path, body)).status).toBe(status);
    expect(performance.now() - started).toBeLessThan(5000);
    await expectServing(capture);
  });

  test('keys that JavaScript gives a meaning to are keys like others', async () => {
    const text =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":2,"$groups":{"__proto__":"x"}}';
    const body = `{"__proto__":{"api_key":"phc_other"},"api_key":"${token}","event":"e","distinct_id":"proto","properties":${text},"$set":{"__proto__":{"polluted":1}}}`;
    expect((await capture.post('/batch/', body)).status).toBe(200);
    expect((await eventOf(capture, 'proto')).propertiesText).toBe(text);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('text', () => {
  test.each<[string, Buffer]>([
    ['a byte that is none', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate as bytes', Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1')],
    ['a character cut short', Buffer.from('{"a":"\xf0\x9f"}', 'latin1')],
    ['too long a form of a slash', Buffer.from('{"a":"\xc0\xaf"}', 'latin1')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ])('invalid UTF-8 is refused: %s', async (_name, body) => {
    const response = await capture.post('/batch/', body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'parse_error']);
  });

  test('half emojis and NULs are replaced in ids and names; the properties keep their text (contract/decisions 24)', async () => {
    const properties = '{"text":"\\ud83d cut \\u0000 \\ude00"}';
    const body = `{"api_key":"${token}","event":"a\\ud83db\\u0000","distinct_id":"text \\ud83d \\u0000","properties":${properties}}`;
    expect((await capture.post('/batch/', body)).status).toBe(200);
    const stored = await eventOf(capture, 'text \ufffd \ufffd');
    expect([stored.event, stored.propertiesText]).toEqual(['a\ufffdb\ufffd', properties]);
  });

  test('numbers beyond what JavaScript can hold keep their digits', async () => {
    const properties = '{"a":1e999,"b":12345678901234567890,"c":-0,"d":0.1000000000000000055511151231257827}';
    await capture.post(
      '/batch/',
      `{"api_key":"${token}","event":"e","distinct_id":98765432109876543210,"properties":${properties}}`,
    );
    expect((await eventOf(capture, '98765432109876543210')).propertiesText).toBe(properties);
  });
});

describe('anything at all', () => {
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('__proto__', 1e300, '\ud83d', '\0', [], {}, [[]], ''),
  );
  const places = [
    'api_key',
    'token',
    '$token',
    'event',
    'distinct_id',
    '$distinct_id',
    'uuid',
    'timestamp',
    'offset',
    'sent_at',
    'historical_migration',
    'properties',
    '$set',
    '$set_once',
    '$unset',
    'batch',
    'type',
  ] as const;
  const inProperties = [
    'token',
    'distinct_id',
    '$groups',
    '$group_type',
    '$group_key',
    '$anon_distinct_id',
    'alias',
    '$insert_id',
    '$ignore_sent_at',
    '$session_id',
    '$lib',
    '$lib_version',
  ] as const;
  const record = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, odd])), { requiredKeys: [] });
  const names = fc.constantFrom(
    'e',
    '$identify',
    '$create_alias',
    '$merge_dangerously',
    '$groupidentify',
    '$performance_event',
  );
  const event = fc
    .tuple(record(places), names, fc.oneof(record(inProperties), odd))
    .map(([fields, name, properties]) => ({ event: name, distinct_id: 'd', ...fields, properties }));
  const known = { api_key: token };
  const body = fc.oneof(
    event,
    event.map((one) => ({ ...one, ...known })),
    fc.array(fc.oneof(event, odd), { maxLength: 4 }),
    fc
      .tuple(record(['sent_at', 'historical_migration']), fc.array(fc.oneof(event, odd), { maxLength: 4 }))
      .map(([fields, batch]) => ({ ...known, ...fields, batch })),
    odd,
  );
  const path = fc.constantFrom(
    '/batch/',
    '/e/?_=1&sent_at=x',
    '/engage/',
    '/i/v0/e?strict=1&beacon=1',
    '/i/v1/analytics/events',
    '/flags/?v=2',
    '/decide',
    '/e/?compression=lz64',
    '/track?compression=base64',
  );

  test('any JSON value in any place never yields a 5xx', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    await fc.assert(
      fc.asyncProperty(body, path, async (value, to) => {
        const response = await capture.post(to, JSON.stringify(value), headers);
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 500 },
    );
  });

  test('any bytes under any hint never yield a 5xx', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.uint8Array({ maxLength: 100 }).map((tail) => Buffer.from([0x1f, 0x8b, 8, ...tail])),
      fc.base64String(),
    );
    const encoding = fc.constantFrom('gzip', 'br', 'zstd', 'deflate', 'identity', 'x');
    await fc.assert(
      fc.asyncProperty(bytes, encoding, path, async (given, coding, to) => {
        const response = await capture.post(to, Buffer.from(given as Uint8Array), {
          'content-encoding': coding,
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        });
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
    await expectServing(capture);
  });

  test('the properties of an accepted event come back from the log as they were sent', async () => {
    const dictionary = fc.dictionary(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('__proto__', 'constructor', '$groups', 'alias', '$insert_id'),
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const sent = new Map<string, unknown>();
    await fc.assert(
      fc.asyncProperty(dictionary, fc.boolean(), async (properties, zipped) => {
        const id = `round trip ${sent.size}`;
        const text = JSON.stringify(good(id, { properties }));
        expect((await capture.post('/batch/', zipped ? gzipSync(text) : text)).status).toBe(200);
        sent.set(id, JSON.parse(JSON.stringify(properties)));
      }),
      { numRuns: 150 },
    );
    const stored = (await capture.entries('main', sent.size)).map(
      ({ head, body: text }) =>
        [
          (JSON.parse(head.toString()) as { distinctId: string }).distinctId,
          JSON.parse(text.toString()) as unknown,
        ] as const,
    );
    const back = new Map(stored.filter(([id]) => sent.has(id)));
    expect(back.size).toBe(sent.size);
    for (const [id, properties] of sent) expect(JSON.stringify(back.get(id))).toBe(JSON.stringify(properties));
  });

  test('the cut of an id is by code point', async () => {
    const letters = fc.array(fc.constantFrom('a', 'ü', '漢', '👍'), { minLength: 150, maxLength: 250 });
    const ids = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(letters, async (parts) => {
        const uuid = `00000000-0000-4000-8000-${String(ids.size).padStart(12, '0')}`;
        expect((await capture.post('/batch/', good(parts.join(''), { uuid }))).status).toBe(200);
        ids.set(uuid, parts.slice(0, 200).join(''));
      }),
      { numRuns: 50 },
    );
    const stored = new Map((await capture.events(ids.size)).map(({ uuid, distinctId }) => [uuid, distinctId]));
    for (const [uuid, id] of ids) expect(stored.get(uuid)).toBe(id);
  });
});
