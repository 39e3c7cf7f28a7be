import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LogUnavailableError } from '@millrace/event-log/event-log.ts';
import { parseAddresses } from '../http/client-address.ts';
import { projectsOfTest } from '../test/projects-of-test.ts';
import { recordedWarnings } from '../test/recorded-warnings.ts';
import { eventOf, startCapture, token, type CaptureUnderTest } from '../test/capture-under-test.ts';

const path = '/i/v1/analytics/events';
const origin = 'https://shop.example';
let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

const headers = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'posthog-sdk-info': 'posthog-node/5.70.0',
  'posthog-attempt': '1',
  'posthog-request-id': '01a1fdc3-5780-7d21-9b6a-2f1e0c5d4b3a',
};
type Event = Record<string, unknown>;
const event = (more: Event = {}): Event => ({
  event: 'e',
  uuid: randomUUID(),
  distinct_id: 'ada',
  timestamp: '2026-11-20T10:00:00.123Z',
  options: {},
  properties: {},
  ...more,
});
const send = (batch: unknown, more: Record<string, string> = {}, to = path): Promise<Response> =>
  capture.post(to, { created_at: new Date().toISOString(), batch }, { ...headers, ...more });

describe('V1 (contract/capture 1.10, contract/decisions 31)', () => {
  test.each([path, `${path}/`, '/i/v1/ai/events', '/i/v1/ai/events/'])(
    '%s: a result for each event, and the request id comes back',
    async (to) => {
      const one = event({ distinct_id: `v1 ${to}` });
      const response = await send([one], { origin }, to);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ results: { [one['uuid'] as string]: { result: 'ok' } } });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'posthog-request-id': headers['posthog-request-id'],
        'access-control-allow-origin': origin,
      });
      expect(response.headers.get('retry-after')).toBeNull();
      expect(await eventOf(capture, `v1 ${to}`)).toMatchObject({
        uuid: one['uuid'],
        token,
        timestamp: '2026-11-20T10:00:00.123000Z',
      });
    },
  );

  test.each<[string, (text: string) => Buffer]>([
    ['gzip', (text) => gzipSync(text)],
    ['deflate', (text) => deflateSync(text)],
    ['br', (text) => brotliCompressSync(text)],
    ['zstd', (text) => zstdCompressSync(text)],
    ['identity', (text) => Buffer.from(text)],
  ])('Content-Encoding: %s', async (encoding, pack) => {
    const one = event();
    const response = await capture.post(path, pack(JSON.stringify({ batch: [one] })), {
      ...headers,
      'content-encoding': encoding,
    });
    expect(await response.json()).toEqual({ results: { [one['uuid'] as string]: { result: 'ok' } } });
  });

  test('a method that it does not take is refused in the form of V1', async () => {
    const response = await fetch(capture.url + path, { method: 'PUT', headers: { ...headers, origin } });
    expect([
      response.status,
      response.headers.get('allow'),
      response.headers.get('access-control-allow-origin'),
    ]).toEqual([405, 'POST, OPTIONS', origin]);
    expect(await response.json()).toEqual({
      error: 'method_not_allowed',
      error_description: expect.any(String) as unknown,
      error_uri: null,
    });
  });

  test('warnings name the library of the headers', async () => {
    await send([event({ event: '' })]);
    expect((await capture.warnings(1))[0]).toMatchObject({
      type: 'missing_event_name',
      details: { lib: 'posthog-node', libVersion: '5.70.0' },
    });
  });

  test('fields beside the properties become properties; the library comes from the headers', async () => {
    const options = {
      cookieless_mode: false,
      disable_skew_correction: true,
      product_tour_id: 't',
      process_person_profile: false,
      unknown: 1,
    };
    await capture.post(
      path,
      `{"batch":[{"event":"e","uuid":"${randomUUID()}","distinct_id":"full","timestamp":"2026-11-20T10:00:00Z","session_id":"S","window_id":"w","options":${JSON.stringify(options)},"properties":{ "n" : 12345678901234567890, "$window_id":"old" }}]}`,
      headers,
    );
    const { propertiesText, properties, ...head } = await eventOf(capture, 'full');
    expect(propertiesText).toBe(
      '{ "n" : 12345678901234567890, "$window_id":"w" ,"$session_id":"S","$cookieless_mode":false,"$ignore_sent_at":true,"$product_tour_id":"t","$process_person_profile":false,"$lib":"posthog-node","$lib_version":"5.70.0"}',
    );
    expect(head).toMatchObject({ timestamp: '2026-11-20T10:00:00.000000Z' });
    expect(properties).toMatchObject({ $window_id: 'w' });
  });

  test("the event's own library data stays; missing properties are an empty object", async () => {
    await send([
      event({ distinct_id: 'lib', properties: { $lib: 'mine', $lib_version: '1' } }),
      event({ distinct_id: 'bare', properties: null }),
    ]);
    expect((await eventOf(capture, 'lib')).properties).toEqual({ $lib: 'mine', $lib_version: '1' });
    expect((await eventOf(capture, 'bare')).properties).toEqual({ $lib: 'posthog-node', $lib_version: '5.70.0' });
  });

  test('the clock of the client is corrected by the time of the request, unless the event forbids it', async () => {
    const hour = 3_600_000;
    const timestamp = new Date(Date.now() - 5 * hour).toISOString();
    const sent = { 'posthog-request-timestamp': new Date(Date.now() - 5 * hour).toISOString() };
    await send(
      [
        event({ distinct_id: 'corrected', timestamp }),
        event({ distinct_id: 'literal', timestamp, options: { disable_skew_correction: true } }),
      ],
      sent,
    );
    expect(Date.now() - Date.parse((await eventOf(capture, 'corrected')).timestamp)).toBeLessThan(hour);
    expect((await eventOf(capture, 'corrected')).sentAt).toBe(sent['posthog-request-timestamp'].replace('Z', '000Z'));
    expect(Date.now() - Date.parse((await eventOf(capture, 'literal')).timestamp)).toBeGreaterThan(4 * hour);
  });

  test('historical_migration goes to its own lane', async () => {
    await capture.post(path, { historical_migration: true, batch: [event({ distinct_id: 'v1 old' })] }, headers);
    expect(await eventOf(capture, 'v1 old', 'historical')).toMatchObject({ historical: true });
  });

  test.each<[string, Event, string]>([
    ['no name', { event: undefined }, 'missing_event_name'],
    ['a long name', { event: 'x'.repeat(201) }, 'event_name_too_long'],
    ['no distinct id', { distinct_id: undefined }, 'missing_distinct_id'],
    ['a long distinct id', { distinct_id: 'x'.repeat(201) }, 'distinct_id_too_large'],
    ['no timestamp', { timestamp: undefined }, 'invalid_event_timestamp'],
    ['a timestamp that is none', { timestamp: 'soon' }, 'invalid_event_timestamp'],
    ['properties that are none', { properties: [] }, 'malformed_event_properties'],
    ['options that are none', { options: 'x' }, 'invalid_options'],
    ['an option of the wrong type', { options: { process_person_profile: 'no' } }, 'invalid_options'],
    [
      'a long group key',
      { event: '$groupidentify', properties: { $group_type: 't', $group_key: 'x'.repeat(401) } },
      'group_key_too_long',
    ],
    ['a megabyte', { properties: { x: 'y'.repeat(1_000_000) } }, 'event_too_big'],
    ['a performance event', { event: '$performance_event' }, 'dropped_performance_event'],
  ])('%s: dropped alone', async (_name, more, details) => {
    const [bad, fine] = [event(more), event()];
    const response = await send([bad, fine]);
    expect([response.status, await response.json()]).toEqual([
      200,
      { results: { [bad['uuid'] as string]: { result: 'drop', details }, [fine['uuid'] as string]: { result: 'ok' } } },
    ]);
  });

  test('an event of which only the beginning was read is too big, whatever stands behind that', async () => {
    const uuid = randomUUID();
    const text = `{"batch":[{"event":"e","uuid":"${uuid}","distinct_id":"huge","properties":{"x":"${'y'.repeat(4_300_000)}"},"timestamp":"2026-11-20T10:00:00Z"}]}`;
    expect(await (await capture.post(path, text, headers)).json()).toEqual({
      results: { [uuid]: { result: 'drop', details: 'event_too_big' } },
    });
  });

  test.each<[string, Event]>([
    ['anonymous', {}],
    ['NULL', {}],
    ['"undefined"', {}],
    ['0', { distinct_id: 0 }],
    ['true', { distinct_id: true }],
    ['none', { distinct_id: null, properties: { distinct_id: 'none' } }],
    ['nan', { distinct_id: undefined, $distinct_id: 'nan' }],
  ])('an illegal id (%s), wherever it stands, is stored without a person, with a warning', async (id, more) => {
    const one = event({ distinct_id: id, ...more });
    expect(await (await send([one])).json()).toEqual({
      results: { [one['uuid'] as string]: { result: 'warning', details: 'person_processing_disabled' } },
    });
    expect(await eventOf(capture, id)).toMatchObject({ personless: true });
  });

  describe('refused as a whole, in a shape of its own', () => {
    const one = event();
    test.each<[string, unknown, Record<string, string>, number, string]>([
      ['no authorization', { batch: [one] }, { authorization: '' }, 401, 'missing_authorization'],
      ['another scheme', { batch: [one] }, { authorization: 'Basic abc' }, 401, 'missing_authorization'],
      ['a personal key', { batch: [one] }, { authorization: 'Bearer phx_secret' }, 401, 'invalid_api_token'],
      ['an unknown token', { batch: [one] }, { authorization: 'Bearer phc_nobody' }, 401, 'invalid_api_token'],
      ['another content type', { batch: [one] }, { 'content-type': 'text/plain' }, 415, 'unsupported_content_type'],
      ['another encoding', { batch: [one] }, { 'content-encoding': 'lzma' }, 415, 'unsupported_encoding'],
      ['a broken encoding', 'rubbish', { 'content-encoding': 'br' }, 400, 'parse_error'],
      ['no JSON', '{', {}, 400, 'parse_error'],
      ['no batch', one, {}, 400, 'invalid_batch'],
      ['an array', [one], {}, 400, 'invalid_batch'],
      ['a batch that is none', { batch: 5 }, {}, 400, 'invalid_batch'],
      ['an empty batch', { batch: [] }, {}, 400, 'empty_batch'],
      ['no uuid', { batch: [{ ...one, uuid: undefined }] }, {}, 400, 'missing_event_uuid'],
      ['an event that is none', { batch: [5] }, {}, 400, 'missing_event_uuid'],
      ['a uuid that is none', { batch: [{ ...one, uuid: 'x' }] }, {}, 400, 'invalid_event_uuid'],
      [
        'a uuid twice',
        { batch: [one, { ...one, uuid: (one['uuid'] as string).toUpperCase() }] },
        {},
        400,
        'duplicate_event_uuid',
      ],
      ['more than 10 MiB', 'x'.repeat(10 * 1024 * 1024 + 1), {}, 413, 'payload_too_large'],
    ])('%s', async (_name, body, more, status, code) => {
      const response = await capture.post(path, body, { ...headers, origin, ...more });
      expect([response.status, await response.json()]).toEqual([
        status,
        { error: code, error_description: expect.any(String) as unknown, error_uri: null },
      ]);
      expect([response.headers.get('posthog-request-id'), response.headers.get('access-control-allow-origin')]).toEqual(
        [headers['posthog-request-id'], origin],
      );
    });
  });

  test('a project gets a warning with the reason and the number of events of a batch that was refused as a whole (contract/capture 4.7)', async () => {
    const own = await startCapture();
    try {
      const one = event();
      const bodies = [
        { batch: 5 },
        { batch: [] },
        { batch: [{ ...one, uuid: undefined }, one] },
        { batch: [one, { ...one, uuid: 'x' }, event()] },
        { batch: [one, event(), event(), one] },
      ];
      for (const body of bodies) expect((await own.post(path, body, headers)).status).toBe(400);
      for (const authorization of ['', 'Bearer phx_secret', 'Bearer phc_nobody'])
        await own.post(path, { batch: [] }, { ...headers, authorization });
      await own.post(path, '{', headers);
      const common = {
        projectId: 7,
        token,
        severity: 'error',
        details: { lib: 'posthog-node', libVersion: '5.70.0', path },
      };
      const counts = {
        invalid_batch: 1,
        empty_batch: 1,
        missing_event_uuid: 2,
        invalid_event_uuid: 3,
        duplicate_event_uuid: 4,
      };
      expect((await own.warnings(5)).map(({ timestamp: _, ...warning }) => warning)).toEqual(
        Object.entries(counts).map(([type, count]) => ({ type, count, ...common })),
      );
      const metrics = await (await fetch(`${own.operationsUrl}/metrics`)).text();
      expect(metrics).toMatch(/millrace_capture_events_dropped_total\{reason="duplicate_event_uuid".*\} 4/);
      expect(metrics).not.toContain('reason="empty_batch"');
      // Reported already: a flood of them is no flood of warnings.
      await own.post(path, { batch: [] }, headers);
      expect(await own.warnings(5)).toHaveLength(5);
    } finally {
      await own.close();
    }
  });

  test('what operators drop and what is over a quota: the reason of each event', async () => {
    const projects = projectsOfTest((tokens) => Promise.resolve(new Map(tokens.map((one) => [one, 7]))));
    const own = await startCapture({}, { projects });
    try {
      await own.post(path, { batch: [event()] }, headers);
      const restriction = {
        projectId: 7,
        action: 'drop_event' as const,
        distinctIds: ['ann'],
        events: [],
        sessionIds: [],
        uuids: [],
      };
      projects.limit({
        tokens: [{ projectId: 7, token }],
        restrictions: [restriction],
        quotas: [{ projectId: 7, resource: 'exceptions', limit: 0, period: 'day' }],
      });
      const batch = [event({ distinct_id: 'ann' }), event({ event: '$exception' }), event()];
      const { results } = (await (await own.post(path, { batch }, headers)).json()) as {
        results: Record<string, unknown>;
      };
      expect(batch.map(({ uuid }) => results[uuid as string])).toEqual([
        { result: 'drop', details: 'event_restriction_drop' },
        { result: 'drop', details: 'exceptions_over_quota' },
        { result: 'ok' },
      ]);
    } finally {
      await own.close();
    }
  });

  test('the address of the client, unless the request is marked as internal', async () => {
    const own = await startCapture({ trustedProxies: parseAddresses('127.0.0.1') });
    try {
      const post = (id: string, more: object) =>
        own.post(
          path,
          { ...more, batch: [event({ distinct_id: id })] },
          { ...headers, 'x-forwarded-for': '203.0.113.9' },
        );
      await post('outside', {});
      await post('within', { capture_internal: true });
      expect([(await eventOf(own, 'outside')).ip, (await eventOf(own, 'within')).ip]).toEqual([
        '203.0.113.9',
        '127.0.0.1',
      ]);
    } finally {
      await own.close();
    }
  });

  test('above the rate of a token: 429 in the form of V1, with Retry-After, and nothing is stored', async () => {
    const own = await startCapture({
      limits: {
        tokenRate: 1,
        tokenBurst: 2,
        projectRate: 0,
        projectBurst: 1,
        keyRate: 0,
        keyBurst: 1,
        overflowKeepsKey: true,
      },
    });
    try {
      const post = (distinctId: string) =>
        own.post(
          path,
          { batch: [event({ distinct_id: distinctId }), event({ distinct_id: distinctId })] },
          { ...headers, origin },
        );
      expect((await post('first')).status).toBe(200);
      const response = await post('second');
      expect([response.status, await response.json()]).toEqual([
        429,
        { error: 'rate_limited', error_description: expect.any(String) as unknown, error_uri: null },
      ]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'retry-after': '1',
        'posthog-request-id': headers['posthog-request-id'],
        'access-control-allow-origin': origin,
      });
      expect((await own.events(2)).map(({ distinctId }) => distinctId)).toEqual(['first', 'first']);
    } finally {
      await own.close();
    }
  });

  test('a body that stalls: 408 in the form of V1, and the connection is closed', async () => {
    const own = await startCapture({ bodyIdleMsMax: 100 });
    try {
      const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
      const lines = Object.entries({ host: 'x', 'content-length': '1000', ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      );
      socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{"batch"`);
      let reply = '';
      // Ends when the server closes the connection.
      for await (const chunk of socket) reply += String(chunk);
      expect(reply).toMatch(/^HTTP\/1\.1 408 /);
      expect(reply.toLowerCase()).toContain(`posthog-request-id: ${headers['posthog-request-id']}`);
      expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toEqual({
        error: 'body_read_timeout',
        error_description: expect.any(String) as unknown,
        error_uri: null,
      });
    } finally {
      await own.close();
    }
  });

  test('when part of the log cannot be written, those events are to be sent again; when none of it can, all', async () => {
    let broken: 'some' | 'all' = 'some';
    let first: number | null = null;
    const append = (lane: string, bundles: { partition: number }[]): Promise<void> => {
      const [bundle] = bundles;
      first ??= bundle?.partition ?? 0;
      const works = lane === 'warnings' || (broken === 'some' && bundle?.partition === first);
      return works
        ? Promise.resolve()
        : new Promise((_resolve, reject) => void setTimeout(() => reject(new LogUnavailableError('away')), 50));
    };
    const log = {
      id: 'fake',
      partitions: 8,
      append,
      trouble: () => null,
      subscribe: () => Promise.reject(new Error('no')),
      close: () => Promise.resolve(),
    };
    const { logger, warnings } = recordedWarnings();
    const own = await startCapture({}, { logger, openLog: () => Promise.resolve(log as never) });
    try {
      const batch = [
        ...Array.from({ length: 40 }, (_, index) => event({ distinct_id: `id ${index}` })),
        event({ event: '' }),
      ];
      const partly = await own.post(path, { batch }, headers);
      const { results } = (await partly.json()) as { results: Record<string, { result: string; details?: string }> };
      expect([partly.status, partly.headers.get('retry-after')]).toEqual([200, '1']);
      expect(Object.values(results).slice(0, 40)).toEqual(
        Array.from({ length: 40 }, () => ({ result: 'retry', details: 'not_persisted' })),
      );
      expect(results[batch[40]?.['uuid'] as string]).toEqual({ result: 'drop', details: 'missing_event_name' });
      // The reply is a success: only this reaches operators.
      expect(warnings).toMatchObject([{ reason: 'missing_event_name' }, { requests: 1 }]);
      broken = 'all';
      const none = await own.post(path, { batch }, headers);
      expect([none.status, none.headers.get('retry-after'), ((await none.json()) as { error: string }).error]).toEqual([
        503,
        '1',
        'log_unavailable',
      ]);
    } finally {
      await own.close();
    }
  });
});
