import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import LZString from 'lz-string';
import { eventOf, startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';

const origin = 'https://shop.example';
const uuid = '01a1fdc3-5780-4d21-9b6a-2f1e0c5d4b3a';
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

const get = (path: string): Promise<Response> => fetch(capture.url + path, { headers: { origin } });

describe('every way in (contract/capture 1.1, 1.3, 1.4)', () => {
  const paths = ['/i/v0/e', '/batch', '/e', '/capture', '/track', '/engage', '/i/v0/ai/batch'];

  test.each(paths.flatMap((path) => [path, `${path}/`, `${path}/?ver=1.2&ip=1&retry_count=2`]))(
    'POST %s',
    async (path) => {
      const id = `post ${path}`;
      const response = await capture.post(path, { api_key: token, event: 'e', distinct_id: id, properties: { a: 1 } });
      expect([response.status, await response.json()]).toEqual([200, { status: 'Ok' }]);
      expect(await eventOf(capture, id)).toMatchObject({ event: 'e', token, projectId: 7, properties: { a: 1 } });
    },
  );

  test.each(paths.flatMap((path) => [path, `${path}/`]))('GET %s with data', async (path) => {
    const id = `get ${path}`;
    const data = encodeURIComponent(base64(JSON.stringify({ api_key: token, event: 'e', distinct_id: id })));
    const response = await get(`${path}?data=${data}`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'Ok' }]);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    await eventOf(capture, id);
  });

  test.each<[string, (text: string) => { path?: string; body: Buffer | string; headers?: Record<string, string> }]>([
    ['gzip as browsers send it', (text) => ({ body: gzipSync(text), headers: { 'content-type': 'text/plain' } })],
    [
      'a form with base64, as browsers of old send it',
      (text) => ({
        path: '/e/?compression=base64&ip=1&_=1700000000000&ver=1.0',
        body: `data=${encodeURIComponent(base64(text))}&compression=base64`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ],
    [
      'lz-string, as browsers of old send it',
      (text) => ({
        path: '/e/?compression=lz64',
        body: `data=${encodeURIComponent(LZString.compressToBase64(text))}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ],
    ['curl -d', (text) => ({ body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } })],
    ['brotli', (text) => ({ body: brotliCompressSync(text), headers: { 'content-encoding': 'br' } })],
    ['zstd', (text) => ({ body: zstdCompressSync(text), headers: { 'content-encoding': 'zstd' } })],
    ['deflate', (text) => ({ body: deflateSync(text), headers: { 'content-encoding': 'deflate' } })],
  ])('%s', async (name, make) => {
    const {
      path = '/batch/',
      body,
      headers = {},
    } = make(JSON.stringify([{ token, event: 'e', distinct_id: `form ${name}`, properties: { text: '👍 ü + / =' } }]));
    expect((await capture.post(path, body, headers)).status).toBe(200);
    expect(await eventOf(capture, `form ${name}`)).toMatchObject({ properties: { text: '👍 ü + / =' } });
  });

  test('/engage takes what mixpanel clients send: no name, so it is an $identify', async () => {
    const person = { $token: token, $distinct_id: 'engaged', $set: { plan: 'pro' }, $set_once: { first: 1 } };
    expect(
      (
        await capture.post('/engage/', `data=${base64(JSON.stringify(person))}`, {
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).status,
    ).toBe(200);
    expect(await eventOf(capture, 'engaged')).toMatchObject({
      event: '$identify',
      set: { plan: 'pro' },
      setOnce: { first: 1 },
    });
    expect((await capture.post('/batch/?strict=1', person)).status).toBe(400);
  });

  test('top-level $set, $set_once and $unset travel beside the properties, whatever those hold', async () => {
    await capture.post('/batch/', {
      api_key: token,
      batch: [
        {
          event: '$set',
          distinct_id: 'setter',
          $set: { a: 1 },
          $set_once: { b: null },
          $unset: ['c'],
          properties: { $set: { a: 2 } },
        },
      ],
    });
    expect(await eventOf(capture, 'setter')).toMatchObject({
      set: { a: 1 },
      setOnce: { b: null },
      unset: ['c'],
      properties: { $set: { a: 2 } },
    });
  });

  test('/s/ reads recordings and keeps nothing of them (contract/decisions 27)', async () => {
    const recording = {
      event: '$snapshot',
      distinct_id: 'recorded',
      api_key: token,
      properties: { $snapshot_data: 'x'.repeat(24_000_000) },
    };
    const response = await capture.post('/s/?compression=gzip-js', recording, { origin });
    expect([response.status, await response.json()]).toEqual([200, { status: 'Ok' }]);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect((await capture.post('/s', Buffer.alloc(26 * 1024 * 1024))).status).toBe(413);
    expect((await capture.events(0)).filter(({ distinctId }) => distinctId === 'recorded')).toEqual([]);
  });

  test('offset, sent_at of the query and of the body', async () => {
    const before = Date.now();
    await capture.post('/e/', {
      api_key: token,
      batch: [{ event: 'e', distinct_id: 'offset', offset: 60_000, timestamp: '2001-01-01' }],
    });
    const { timestamp } = await eventOf(capture, 'offset');
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before - 60_000);
    expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now() - 60_000);
  });

  test('the same request twice gives the same uuids (contract/decisions 1)', async () => {
    const body = {
      api_key: token,
      batch: [
        { event: 'e', distinct_id: 'twice', timestamp: '2026-11-20T10:00:00Z', uuid: '', properties: { a: 1 } },
        { event: 'e', distinct_id: 'twice', properties: { $insert_id: 'i' } },
      ],
    };
    for (let time = 0; time < 2; time++) expect((await capture.post('/batch/', body)).status).toBe(200);
    const uuids = (await capture.events(1))
      .filter(({ distinctId }) => distinctId === 'twice')
      .map((event) => event.uuid);
    expect([uuids.length, new Set(uuids).size]).toEqual([4, 2]);
  });

  test('a whole address in the place of the path: the host in it is no part of what warnings show', async () => {
    const own = await startCapture();
    try {
      const body = JSON.stringify({ api_key: token, event: '', distinct_id: 'd' });
      const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
      socket.end(
        `POST http://${'x'.repeat(5_000)}/i/v0/e/?ip=1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      socket.resume();
      await once(socket, 'close');
      expect(await own.warnings(1)).toMatchObject([{ type: 'missing_event_name', details: { path: '/i/v0/e/' } }]);
    } finally {
      await own.close();
    }
  });

  test('behind a proxy that keeps its path', async () => {
    const own = await startCapture({ pathPrefix: '/ingest' });
    try {
      for (const path of ['/ingest/batch/', '/ingest/i/v0/e', '/batch/', '//ingest/e', '/ingest//e/'])
        expect((await own.post(path, { api_key: token, event: 'e', distinct_id: path })).status).toBe(200);
      expect((await fetch(`${own.url}/ingest/array/${token}/config`)).status).toBe(200);
      expect((await own.post('/ingestbatch/', {})).status).toBe(404);
      expect(await own.events(5)).toHaveLength(5);
    } finally {
      await own.close();
    }
  });
});

describe('every way out (contract/capture 1.7, 1.8, 2.8)', () => {
  const good = { event: 'e', distinct_id: 'strict' };
  const bad = [
    { ...good, uuid },
    { event: '', distinct_id: 'd' },
    { ...good, distinct_id: 'x'.repeat(201) },
    5,
    { event: '$performance_event', distinct_id: 'd' },
  ];

  test.each<[string, string, Record<string, string>]>([
    ['the query', '/batch/?strict=1', {}],
    ['a word', '/batch/?strict=true', {}],
    ['its name', '/batch/?strict', {}],
    ['a header', '/i/v0/e', { 'x-capture-strict': '1' }],
    ['a header with a word', '/i/v0/e', { 'x-capture-strict': 'Yes' }],
  ])(
    'strict mode by %s: what is wrong with each event; the good ones are stored all the same',
    async (_name, path, headers) => {
      const response = await capture.post(path, { api_key: token, batch: bad }, { origin, ...headers });
      const body = (await response.json()) as { errors: unknown };
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([400, origin]);
      expect(body).toMatchObject({
        status: 'error',
        ingested: 2,
        code: 'invalid_events',
        detail: expect.any(String) as unknown,
        error: expect.any(String) as unknown,
      });
      expect(body.errors).toEqual([
        { index: 1, uuid: null, code: 'missing_event_name', detail: expect.any(String) as unknown },
        {
          index: 2,
          uuid: expect.any(String) as unknown,
          code: 'distinct_id_truncated',
          detail: expect.any(String) as unknown,
        },
        { index: 3, uuid: null, code: 'malformed_event', detail: expect.any(String) as unknown },
      ]);
    },
  );

  test('strict mode with nothing wrong is 200 as always', async () => {
    const response = await capture.post('/batch/?strict=1', { api_key: token, batch: [good] });
    expect([response.status, await response.json()]).toEqual([200, { status: 'Ok' }]);
  });

  test.each(['', '?strict=0', '?strict=false', '?strict=off'])(
    'without strict mode the same batch is 200: %s',
    async (query) => {
      expect((await capture.post(`/batch/${query}`, { api_key: token, batch: bad })).status).toBe(200);
    },
  );

  test.each([
    [{ ...good, plan: 'pro' }, '"plan" is not a field of an event, and is not stored. Write it in "properties".', 1],
    [{ ...good, time: '2026-11-01T10:00:00Z' }, expect.stringContaining('Write "timestamp" instead.'), 1],
    [{ events: [good] }, 'The event has no name. Write "batch" instead of "events".', 0],
  ])('strict mode names what has no effect: %j', async (event, detail, ingested) => {
    const response = await capture.post('/batch/?strict=1', { api_key: token, ...event });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ ingested, errors: [expect.objectContaining({ index: 0, detail })] }),
    ]);
  });

  test('beacon=1 with GET and with forms: 204', async () => {
    const data = encodeURIComponent(JSON.stringify({ api_key: token, ...good }));
    for (const response of [
      await get(`/e/?beacon=1&data=${data}`),
      await capture.post('/e/?beacon=1', `data=${data}`),
    ]) {
      expect([response.status, await response.text()]).toEqual([204, '']);
    }
  });

  test.each(['/batch', '/e/', '/engage', '/capture/', '/e/?metadata=1', '/e/?_=1&xdata=2'])(
    'GET %s without data carries nothing: 405',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    },
  );

  test.each([
    ['DELETE', '/e/', 'GET, POST, OPTIONS'],
    ['PUT', '/i/v1/analytics/events', 'POST, OPTIONS'],
    ['HEAD', '/batch/', 'GET, POST, OPTIONS'],
    ['POST', `/array/${token}/config`, 'GET, HEAD, OPTIONS'],
  ])('%s %s: 405, and what is allowed', async (method, path, allow) => {
    const response = await fetch(capture.url + path, { method, headers: { origin } });
    expect([
      response.status,
      response.headers.get('allow'),
      response.headers.get('access-control-allow-origin'),
    ]).toEqual([405, allow, origin]);
  });

  test.each(['/array/phx_personal/config.js', '/static/toolbar.js', '/i/v1/logs', '/i/v1/metrics', '/i/v0/ai/'])(
    '%s: 404 as JSON, with CORS: never a page that a browser would run',
    async (path) => {
      const response = await get(path);
      expect([
        response.status,
        response.headers.get('content-type'),
        response.headers.get('access-control-allow-origin'),
      ]).toEqual([404, 'application/json', origin]);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    },
  );

  test('an address that the router cannot read is a 404, not a page', async () => {
    expect((await get('/array/%ff/config')).status).toBe(404);
  });

  test('a request without Host is a 400 with a body', async () => {
    const sent = request(capture.url, { setHost: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, await textOf(response)]).toEqual([400, expect.stringContaining('malformed_request')]);
  });

  test('requests at the root get a reply', async () => {
    expect(await (await get('/')).json()).toEqual({ status: 'Ok' });
  });

  test('a client that leaves behind its last byte loses nothing (php closes after 1 ms)', async () => {
    const body = JSON.stringify({ api_key: token, event: 'e', distinct_id: 'left at once' });
    const socket = connect(Number(new URL(capture.url).port), '127.0.0.1');
    socket.write(`POST /batch/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    socket.destroySoon();
    await once(socket, 'close');
    expect(await eventOf(capture, 'left at once')).toMatchObject({ event: 'e' });
  });
});
