import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { LogUnavailableError, OutcomeUnknownError, type EventLog } from '@millrace/event-log/event-log.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { eventOf, startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';
import { projectsOfTest } from './test/projects-of-test.ts';
import { recordedWarnings } from './test/recorded-warnings.ts';

const origin = 'https://shop.example';
const good = (id: string, more: object = {}) => ({ api_key: token, event: 'signup', distinct_id: id, ...more });

/** Every error says this, whoever reads it (contract/decisions 38). */
async function expectError(response: Response, status: number, code?: string): Promise<void> {
  const body = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, ...body }).toMatchObject({ status, ...(code !== undefined && { code }) });
  expect(Object.keys(body).sort()).toEqual(['attr', 'code', 'detail', 'error', 'type']);
  expect(body['error']).toBe(body['detail']);
  expect(JSON.stringify(body)).not.toContain(token);
}

/** Sends raw bytes and answers with all that came back until the server closed. */
async function raw(url: string, parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let reply = '';
  socket.on('data', (data: Buffer) => (reply += data.toString()));
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return reply;
}

describe('capture over HTTP', () => {
  let capture: CaptureUnderTest;
  beforeAll(async () => {
    capture = await startCapture({ bodyBytesMax: 2_000_000, inflatedBytesMax: 4_000_000, bodyIdleMsMax: 300 });
  });
  afterAll(() => capture.close());

  describe('accepted (contract/capture 1.7)', () => {
    test.each(['/i/v0/e/', '/i/v0/e', '/batch/', '/batch', '/i/v0/e/?ver=1'])(
      '%s answers 200 {"status":"Ok"}, and the log has the event',
      async (path) => {
        const before = (await capture.entries('main', 0)).length;
        const response = await capture.post(path, good(`path ${path}`, { properties: { plan: 'pro' } }));
        expect([response.status, await response.json()]).toEqual([200, { status: 'Ok' }]);
        expect(response.headers.get('content-type')).toBe('application/json');
        const entries = await capture.entries('main', before + 1);
        const mine = entries.find(({ head }) => head.includes(`path ${path}`));
        expect(mine?.body.toString()).toBe('{"plan":"pro"}');
        expect(JSON.parse(mine?.head.toString() ?? '')).toMatchObject({
          token,
          projectId: 7,
          event: 'signup',
          ip: '127.0.0.1',
        });
      },
    );

    test.each([
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/octet-stream',
      'application/x-gzip',
      '',
    ])('whatever the content type says: %j', async (type) => {
      expect((await capture.post('/batch/', good('type'), type === '' ? {} : { 'content-type': type })).status).toBe(
        200,
      );
    });

    test.each<[string, string, Record<string, string>, boolean]>([
      ['gzip without any hint (browsers)', '/i/v0/e/', { 'content-type': 'text/plain' }, true],
      ['gzip with its header', '/batch/', { 'content-encoding': 'gzip' }, true],
      ['gzip with the query', '/i/v0/e/?compression=gzip-js', {}, true],
      ['plain although the header says gzip', '/batch/', { 'content-encoding': 'gzip' }, false],
      ['plain although the query says gzip', '/batch/?compression=gzip', {}, false],
      ['an unknown encoding', '/batch/', { 'content-encoding': 'x-nonsense' }, false],
    ])('%s', async (_name, path, headers, zipped) => {
      const text = Buffer.from(JSON.stringify(good('gzip')));
      expect((await capture.post(path, zipped ? gzipSync(text) : text, headers)).status).toBe(200);
    });

    test('beacon=1 answers 204 without a body', async () => {
      const response = await capture.post('/i/v0/e/?beacon=1', good('beacon'));
      expect([response.status, await response.text()]).toEqual([204, '']);
    });

    test('historical_migration goes to its own lane', async () => {
      await capture.post('/batch/', {
        api_key: token,
        historical_migration: true,
        batch: [{ event: 'e', distinct_id: 'old', timestamp: '2020-01-01' }],
      });
      const [event] = await capture.events(1, 'historical');
      expect(event).toMatchObject({ distinctId: 'old', historical: true, timestamp: '2020-01-01T00:00:00.000000Z' });
    });

    test('the clock of the client is corrected by sent_at, of the body or of the query', async () => {
      const hour = 3_600_000;
      const sentAt = new Date(Date.now() - 5 * hour);
      const timestamp = new Date(sentAt.getTime() - 60_000).toISOString();
      await capture.post('/batch/', {
        api_key: token,
        sent_at: sentAt.toISOString(),
        batch: [{ event: 'e', distinct_id: 'skew body', timestamp }],
      });
      await capture.post(`/i/v0/e/?sent_at=${sentAt.getTime()}`, good('skew query', { timestamp }));
      await capture.post(`/i/v0/e/?_=${sentAt.getTime()}`, good('skew underscore', { timestamp }));
      await capture.post(`/i/v0/e/?_=${Math.floor(sentAt.getTime() / 1000)}`, good('no skew', { timestamp }));
      const events = await eventually(async () => {
        const all = await capture.events(4);
        const found = ['skew body', 'skew query', 'skew underscore', 'no skew'].map((id) =>
          all.find((one) => one.distinctId === id),
        );
        if (found.includes(undefined)) throw new Error('not all there');
        return found;
      });
      const ages = events.map((event) => Date.now() - Date.parse(event?.timestamp ?? ''));
      for (const age of ages.slice(0, 3)) expect(age).toBeLessThan(hour);
      expect(ages[3]).toBeGreaterThan(4 * hour);
    });

    test('the sending time of a batch is in its body, that of one event in the query or, for some beacons, in the event (contract/capture 1.5)', async () => {
      const minute = 60_000;
      const [behind, wrong] = [30 * minute, 90 * minute].map((ms) => new Date(Date.now() - ms).toISOString());
      const event = (id: string) => ({ event: 'e', distinct_id: id, timestamp: behind });
      await capture.post(`/batch/?sent_at=${Date.parse(wrong ?? '')}`, {
        api_key: token,
        sent_at: behind,
        batch: [event('sent batch')],
      });
      await capture.post(`/e/?sent_at=${Date.parse(behind ?? '')}`, {
        api_key: token,
        sent_at: wrong,
        ...event('sent query'),
      });
      await capture.post('/e/', { api_key: token, sent_at: behind, ...event('sent event') });
      await capture.post(`/e/?sent_at=${Date.parse(behind ?? '')}`, [
        { api_key: token, sent_at: wrong, ...event('sent array') },
      ]);
      for (const id of ['sent batch', 'sent query', 'sent event', 'sent array']) {
        const { timestamp, sentAt } = await eventOf(capture, id);
        expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(10 * minute);
        // The used time is in the bundle, and becomes $sent_at (2.6).
        expect(sentAt).toBe(behind?.replace('Z', '000Z'));
      }
      await capture.post('/e/?_=1700000000', { api_key: token, ...event('sent never') });
      expect(await eventOf(capture, 'sent never')).not.toHaveProperty('sentAt');
      await capture.post('/e/', { api_key: token, sent_at: 1e300, ...event('sent beyond') });
      expect(await eventOf(capture, 'sent beyond')).not.toHaveProperty('sentAt');
    });

    test('200 although every event was dropped for reasons of its own', async () => {
      expect((await capture.post('/i/v0/e/', { api_key: token, event: '', distinct_id: 'x' })).status).toBe(200);
    });
  });

  test('ten kinds of bad events among 100 hurt nobody, and leave one warning for each kind', async () => {
    const long = 'x'.repeat(401);
    const bad: unknown[] = [
      5,
      { distinct_id: 'a' },
      { event: '  ', distinct_id: 'a' },
      { event: 'e' },
      { event: 'e', distinct_id: '' },
      { event: 'e', distinct_id: 'a', properties: 'text' },
      { event: '$groupidentify', distinct_id: 'a', properties: { $group_type: 't', $group_key: long } },
      { event: '$groupidentify', distinct_id: 'a', properties: { $group_type: long, $group_key: 'k' } },
      { event: '$create_alias', distinct_id: 'a', properties: { alias: [] } },
      { event: 'e', distinct_id: 'a', properties: { big: 'y'.repeat(1_000_000) } },
    ];
    const own = 'phc_known_neighbours';
    const neighbours = Array.from({ length: 90 }, (_, index) => ({
      event: 'fine',
      distinct_id: `neighbour ${index}`,
      properties: { index, $lib: 'node', $lib_version: '1.2' },
    }));
    const batch: unknown[] = neighbours.flatMap((one, index) => (index % 9 === 0 ? [bad[index / 9], one] : [one]));
    const response = await capture.post('/batch/', { api_key: own, batch });
    expect([response.status, await response.json()]).toEqual([200, { status: 'Ok' }]);

    const stored = (await capture.entries('main', 90)).filter(({ head }) => head.includes(own));
    expect(
      stored.map(({ body }) => (JSON.parse(body.toString()) as { index: number }).index).sort((a, b) => a - b),
    ).toEqual(neighbours.map((_, index) => index));
    const warnings = (await capture.warnings(8)).filter((warning) => warning.token === own);
    expect(Object.fromEntries(warnings.map(({ type, count }) => [type, count]))).toEqual({
      malformed_event: 1,
      missing_event_name: 2,
      missing_distinct_id: 2,
      malformed_event_properties: 1,
      group_key_too_long: 1,
      group_type_too_long: 1,
      invalid_alias: 1,
      message_size_too_large: 1,
    });
    for (const warning of warnings) {
      expect(warning).toMatchObject({ projectId: 7, details: { lib: 'node', libVersion: '1.2', path: '/batch/' } });
      // Identifiers of an event are given only when exactly one is meant.
      expect('distinctId' in warning.details).toBe(warning.count === 1 && warning.type !== 'malformed_event');
    }
  });

  describe('refused (contract/capture 1.7)', () => {
    const ok = { event: 'e', distinct_id: 'd' };
    test.each<[string, unknown, number, string]>([
      ['an empty body', '', 400, 'parse_error'],
      ['no JSON', '{"event":', 400, 'parse_error'],
      ['invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 400, 'parse_error'],
      ['truncated gzip', gzipSync('{"event":"e"}').subarray(0, 20), 400, 'parse_error'],
      ['deeper than 10,000', '['.repeat(500_000), 400, 'parse_error'],
      ['a scalar', '5', 400, 'invalid_input'],
      ['an empty array', [], 400, 'empty_batch'],
      ['an empty batch', { api_key: token, batch: [] }, 400, 'empty_batch'],
      ['a batch that is none', { api_key: token, batch: {} }, 400, 'invalid_input'],
      ['no token', ok, 401, 'not_authenticated'],
      ['mixed tokens', [good('a'), { ...good('b'), api_key: 'phc_other' }], 401, 'inconsistent'],
      ['an empty token', { ...ok, api_key: ' ' }, 401, 'empty'],
      ['a long token', { ...ok, api_key: 'x'.repeat(65) }, 401, 'too_long'],
      ['a token that is not ASCII', { ...ok, api_key: 'ü' }, 401, 'not_ascii'],
      ['a personal key', { ...ok, api_key: 'phx_secret' }, 401, 'personal_api_key'],
      ['an unknown token', { ...ok, api_key: 'phc_nobody' }, 401, 'authentication_failed'],
      ['a body over the cap', 'x'.repeat(2_000_001), 413, 'payload_too_large'],
      ['an inflated body over the cap', gzipSync(Buffer.alloc(4_000_001, 0x20)), 413, 'payload_too_large'],
      [
        'one event over a megabyte alone',
        good('big', { properties: { x: 'y'.repeat(1_000_000) } }),
        413,
        'event_too_large',
      ],
      ['too many events', { api_key: token, batch: Array.from({ length: 10_001 }, () => 1) }, 413, 'too_many_events'],
    ])('%s: %i', async (_name, body, status, code) => {
      const response = await capture.post('/batch/', body, { origin });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      await expectError(response, status, code);
    });

    test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('%s: 405 with the allowed methods', async (method) => {
      const response = await fetch(`${capture.url}/batch/`, { method, headers: { origin } });
      expect(response.headers.get('allow')).toContain('POST');
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      await expectError(response, 405);
    });

    test.each(['/nowhere', '/batch/x', '/%ff', '/i/v0'])('%s: 404 as JSON, with CORS', async (path) => {
      const response = await capture.post(path, good('a'), { origin });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      await expectError(response, 404);
    });

    test('8 MB of garbage', async () => {
      const small = await startCapture();
      try {
        const garbage = Buffer.alloc(8_000_000, 0x5b7b227d);
        await expectError(await small.post('/batch/', garbage), 400);
        expect((await small.post('/batch/', good('after'))).status).toBe(200);
      } finally {
        await small.close();
      }
    });

    test('a body that stalls is answered with 408 and CORS, and the connection closed', async () => {
      const result = await raw(capture.url, [
        `POST /batch/ HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nContent-Length: 100\r\n\r\n{"a"`,
      ]);
      expect(result).toMatch(/^HTTP\/1\.1 408 /);
      expect(result).toContain(`access-control-allow-origin: ${origin}`);
      expect(result).toContain('"error":');
    });

    test('a body over the cap is read to its end, so that the client gets 413 instead of a reset', async () => {
      const request = httpRequest(`${capture.url}/batch/`, {
        method: 'POST',
        headers: { 'content-length': 3_900_000 },
      });
      for (let sent = 0; sent < 3_900_000; sent += 100_000) request.write(Buffer.alloc(100_000, 0x20));
      request.end();
      const [response] = (await once(request, 'response')) as [{ statusCode: number; resume: () => void }];
      response.resume();
      expect(response.statusCode).toBe(413);
    });

    test('what is no HTTP gets 400 as JSON', async () => {
      const response = await raw(capture.url, ['NONSENSE\r\n\r\n']);
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain('"code":"malformed_request"');
    });
  });

  test('a gzip bomb is refused in little memory', async () => {
    const bomb = gzipSync(Buffer.alloc(300_000_000), { level: 9 });
    const before = process.memoryUsage().rss;
    await expectError(await capture.post('/batch/', bomb), 413);
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  describe('CORS (contract/capture 1.8)', () => {
    test('a preflight is answered for every path', async () => {
      for (const path of ['/batch/', '/i/v0/e', '/e/', '/anything']) {
        const response = await fetch(capture.url + path, {
          method: 'OPTIONS',
          headers: {
            origin,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type,x-odd',
          },
        });
        expect(response.status).toBe(200);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-allow-headers': 'content-type,x-odd',
          'access-control-allow-methods': expect.stringContaining('POST') as unknown,
          'access-control-allow-credentials': 'true',
          'access-control-max-age': '86400',
          vary: 'Origin',
        });
      }
    });

    test('a success carries it too, and the id of the request comes back', async () => {
      const response = await capture.post('/batch/', good('cors'), { origin, 'x-request-id': 'abc' });
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('access-control-expose-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['Retry-After', 'X-Request-Id']),
      );
      expect(response.headers.get('x-request-id')).toBe('abc');
    });
  });

  test('load balancers find liveness and readiness, operators metrics on a port of their own', async () => {
    expect((await fetch(`${capture.url}/_liveness`)).status).toBe(200);
    expect((await fetch(`${capture.url}/_readiness`)).status).toBe(200);
    expect((await fetch(`${capture.url}/metrics`)).status).toBe(404);
    const metrics = await (await fetch(`${capture.operationsUrl}/metrics`)).text();
    expect(metrics).toMatch(/millrace_capture_requests_total\{status="200",service="capture"\} [1-9]/);
    expect(metrics).toMatch(
      /millrace_capture_events_dropped_total\{reason="missing_event_name",service="capture"\} [1-9]/,
    );
    expect(metrics).toMatch(/millrace_capture_bytes_in_flight\{service="capture"\} 0/);
    expect(namesIn(metrics).filter((name) => !/^(process|nodejs|millrace_capture)_/.test(name))).toEqual([]);
  });
});

/** The names of all metrics of an exposition. */
const namesIn = (metrics: string): string[] => [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '');

describe('capture when something else fails', () => {
  let capture: CaptureUnderTest | undefined;
  afterEach(async () => {
    await capture?.close();
    capture = undefined;
  });

  /** A log whose appends to some lanes do what the test says. */
  const brokenLog = (append: EventLog['append'], unhealthyReason: string | null = null): EventLog => ({
    partitions: 8,
    append,
    unhealthyReason: () => unhealthyReason,
    subscribe: () => Promise.reject(new Error('not in this test')),
    close: () => Promise.resolve(),
  });

  test.each([
    ['takes nothing', new LogUnavailableError('full'), 'log_unavailable'],
    ['may have taken it', new OutcomeUnknownError('late'), 'outcome_unknown'],
  ])('a log that %s: 503 with Retry-After and CORS', async (_name, error, code) => {
    const { logger, warnings } = recordedWarnings();
    capture = await startCapture(
      {},
      { logger, openLog: () => Promise.resolve(brokenLog(() => Promise.reject(error))) },
    );
    const response = await capture.post('/batch/', good('a'), { origin });
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    await expectError(response, 503, code);
    // The client gets nothing of the cause; operators do.
    expect(warnings).toMatchObject([{ requests: 1 }]);
    expect([warnings[0]?.err, warnings[0]?.err.cause]).toContain(error);
  });

  test('a log that never answers: 503 within seconds', async () => {
    const { logger, warnings } = recordedWarnings();
    capture = await startCapture(
      {},
      {
        logger,
        openLog: () =>
          Promise.resolve(
            brokenLog((lane) =>
              lane === 'main' ? new Promise((resolve) => setTimeout(resolve, 3000).unref()) : Promise.resolve(),
            ),
          ),
      },
    );
    await expectError(await capture.post('/batch/', good('a')), 503, 'outcome_unknown');
    expect(warnings.map(({ err }) => err.message)).toEqual(['the event log did not respond within 1000 ms']);
  });

  test('warnings that cannot be stored never fail the request', async () => {
    const append = (lane: string): Promise<void> =>
      lane === 'warnings' ? Promise.reject(new LogUnavailableError('full')) : Promise.resolve();
    capture = await startCapture({}, { openLog: () => Promise.resolve(brokenLog(append)) });
    expect((await capture.post('/batch/', { api_key: token, batch: [{}] })).status).toBe(200);
    expect(await (await fetch(`${capture.operationsUrl}/metrics`)).text()).toMatch(
      /millrace_capture_warnings_lost_total\{service="capture"\} 1/,
    );
  });

  test('an unhealthy log makes the service not ready, with the reason', async () => {
    capture = await startCapture(
      {},
      { openLog: () => Promise.resolve(brokenLog(() => Promise.resolve(), 'the disk is full')) },
    );
    const response = await fetch(`${capture.operationsUrl}/_readiness`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not_ready', not_ready: { 'event log': 'the disk is full' } },
    ]);
    const stranger = await fetch(`${capture.url}/_readiness`);
    expect([stranger.status, await stranger.json()]).toEqual([503, { status: 'not_ready' }]);
  });

  test('with the projects away, events are taken and the consumer decides; not ready until a lookup has worked', async () => {
    let away = true;
    capture = await startCapture(
      {},
      {
        projects: projectsOfTest((tokens) =>
          away ? Promise.reject(new Error('away')) : Promise.resolve(new Map(tokens.map((one) => [one, 7]))),
        ),
      },
    );
    expect((await fetch(`${capture.url}/_readiness`)).status).toBe(503);
    expect((await capture.post('/batch/', good('a'))).status).toBe(200);
    expect(await capture.events(1)).toMatchObject([{ projectId: null }]);
    expect(await (await fetch(`${capture.operationsUrl}/metrics`)).text()).toMatch(
      /millrace_capture_unverified_requests_total\{service="capture"\} 1\n/,
    );
    away = false;
    const { url } = capture;
    await eventually(async () => expect((await fetch(`${url}/_readiness`)).status).toBe(200));
    expect((await capture.post('/batch/', good('b'))).status).toBe(200);
    expect((await capture.events(2)).find(({ distinctId }) => distinctId === 'b')).toMatchObject({ projectId: 7 });
    away = true;
    expect((await fetch(`${url}/_readiness`)).status).toBe(200);
  });

  test('an internal error is 500 as JSON with CORS, without internal details', async () => {
    capture = await startCapture(
      {},
      { openLog: () => Promise.resolve(brokenLog(() => Promise.resolve())), clock: { nowMs: () => NaN } },
    );
    const response = await capture.post('/batch/', good('a'), { origin });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    await expectError(response, 500, 'error');
  });

  test('more bytes in memory than allowed: 503 at once', async () => {
    capture = await startCapture({ bytesInFlightMax: 100_000 });
    await expectError(
      await capture.post('/batch/', good('a', { properties: { x: 'y'.repeat(200_000) } })),
      503,
      'overloaded',
    );
    expect((await capture.post('/batch/', good('b'))).status).toBe(200);
  });

  test('a stop answers what is under way, refuses the rest, and loses nothing acknowledged', async () => {
    capture = await startCapture();
    const { url, dir, app, post } = capture;
    const acknowledged: string[] = [];
    let stopped = false;
    const senders = Array.from({ length: 8 }, async (_, sender) => {
      for (let index = 0; !stopped; index++) {
        const id = `${sender}-${index}`;
        const response = await post('/batch/', good(id)).catch(() => null);
        if (response?.status === 200) acknowledged.push(id);
        else stopped ||= response === null;
      }
    });
    const body = JSON.stringify(good('slow'));
    const slow = httpRequest(`${url}/batch/`, { method: 'POST', headers: { 'content-length': body.length } });
    slow.write(body.slice(0, 10));
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(50));
    const stopping = app.stop();
    slow.end(body.slice(10));
    const [response] = (await once(slow, 'response')) as [{ statusCode: number; resume: () => void }];
    response.resume();
    expect(response.statusCode).toBe(200);
    const started = performance.now();
    await stopping;
    expect(performance.now() - started).toBeLessThan(10_000);
    stopped = true;
    await Promise.all(senders);
    const { readLane } = await import('./test/capture-under-test.ts');
    const stored = new Set(
      (await readLane(dir, 'main', acknowledged.length + 1)).map(
        ({ head }) => (JSON.parse(head.toString()) as { distinctId: string }).distinctId,
      ),
    );
    expect([...acknowledged, 'slow'].filter((id) => !stored.has(id))).toEqual([]);
  });
});
