import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { Integer, Object as ObjectType, Optional, String as Text } from 'typebox';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { bodyNotSearched, type Credentials } from './requests/credentials.ts';
import { routeDefiner } from './define-route.ts';
import { AppError } from './errors/errors.ts';
import { mountRoutes, type FinishedRequest } from './mount.ts';
import { createUnsentReplies } from './replies/unsent-replies.ts';
import { bytes, reply, stream } from './replies/reply.ts';

const defineRoute = routeDefiner<{ name: string }, { greeting: string }>();
const shared = { access: { scope: 'project:read' }, tag: 'T', summary: 'S' } as const;
const Thing = ObjectType({ id: Text(), said: Text() });

const routes = [
  defineRoute({
    ...shared,
    operationId: 'get_thing',
    method: 'get',
    path: '/api/projects/:project_id/things/:id',
    params: { id: Text({ format: 'uuid' }) },
    query: ObjectType({ n: Optional(Integer({ minimum: 1 })) }),
    responses: { 200: Thing },
    find({ params }) {
      if (params.id.startsWith('0')) return Promise.reject(new AppError('not_found'));
      return Promise.resolve(`found ${params.id}`);
    },
    handler: ({ params, query, context, auth, found }) => ({
      id: params.id,
      said: `${context.greeting} ${auth.name} ${query.n ?? 0} ${found}`,
    }),
  }),
  defineRoute({
    ...shared,
    operationId: 'make_thing',
    method: 'post',
    path: '/api/projects/:project_id/things',
    body: ObjectType({ text: Text(), count: Optional(Integer()) }, { additionalProperties: false }),
    responses: { 201: Thing },
    handler: ({ body }) => reply(201, { id: 'new', said: `${body.text}${body.count ?? ''}` }),
  }),
  defineRoute({
    ...shared,
    operationId: 'delete_thing',
    method: 'delete',
    path: '/api/projects/:project_id/things/:id',
    responses: { 405: null },
    handler: () => reply(405, undefined, { allow: 'GET' }),
  }),
  defineRoute({
    ...shared,
    operationId: 'make_exact_thing',
    method: 'post',
    path: '/api/exact',
    jsonOnly: true,
    body: ObjectType({ text: Text() }),
    responses: { 201: Thing },
    handler: ({ body }) => reply(201, { id: 'new', said: body.text }),
  }),
  defineRoute({
    ...shared,
    operationId: 'break_thing',
    method: 'post',
    path: '/api/break',
    responses: { 204: null },
    handler() {
      throw new Error('secret of the database');
    },
  }),
  defineRoute({
    ...shared,
    access: 'public',
    operationId: 'make_public_thing',
    method: 'post',
    path: '/api/public',
    body: ObjectType({ text: Text() }),
    responses: { 201: Thing },
    handler: ({ body }) => reply(201, { id: 'new', said: body.text }),
  }),
  defineRoute({
    ...shared,
    access: 'public',
    operationId: 'get_bytes',
    method: 'get',
    path: '/bytes',
    responses: { 200: Text({ contentMediaType: 'text/plain' }) },
    handler: () => bytes('text/plain', [Buffer.from('a'), Buffer.from('b')]),
  }),
  defineRoute({
    ...shared,
    operationId: 'get_page',
    method: 'get',
    path: '/page',
    responses: { 200: Text({ contentMediaType: 'text/html' }) },
    errorPage: (error) => bytes('text/html', [Buffer.from(error.message)], { 'x-page': 'yes' }),
    handler() {
      throw new Error('secret of the database');
    },
  }),
  defineRoute({
    ...shared,
    access: 'public',
    operationId: 'get_stream',
    method: 'get',
    path: '/stream',
    query: ObjectType({ failing: Optional(Text({ enum: ['early', 'late', 'never'] })) }),
    bareQueryErrors: true,
    responses: { 200: Thing },
    otherTypes: { 'text/csv': Text() },
    handler: ({ query: { failing } }) =>
      stream(async (sink) => {
        if (failing === 'early') throw new AppError('query_error');
        sink.begin({ 'content-type': 'text/csv' }, ['x-rows']);
        await sink.write(Buffer.from('a\n'));
        if (failing === 'late') throw new AppError('unavailable');
        while (failing === 'never') await sink.write(Buffer.alloc(100_000));
        await sink.write(Buffer.from('b\n'));
        sink.end({ 'x-rows': '2' });
      }),
  }),
];

const finished: FinishedRequest[] = [];
const log: string[] = [];
const called: unknown[] = [];
const authenticate = async ({ authorization, inBody, query }: Credentials) => {
  const body = authorization === undefined ? await inBody('personal_api_key') : undefined;
  const name = authorization ?? (body === bodyNotSearched ? undefined : body) ?? query['personal_api_key'];
  if (name === undefined) throw new AppError('not_authenticated');
  return { name };
};
const app = express();
mountRoutes(app, routes, {
  context: { greeting: 'hello' },
  authenticate,
  authorize: async ({ access }, credentials) => (access === 'public' ? null : authenticate(credentials)),
  afterCall: (access) => void called.push(access),
  aliases: { '/api/environments/': '/api/projects/' },
  bodyBytesMax: 200_000,
  log: { error: (fields) => void log.push(inspect(fields)) },
  unsent: createUnsentReplies({ bytesMax: 1_000_000, onCut: () => undefined }),
  onFinish: (line) => void finished.push(line),
});

/** A body with a key in it, after a text of so many bytes. */
const ofBytes = (bytes: number, more: object = { personal_api_key: 'bob' }) => ({ text: 'x'.repeat(bytes), ...more });
const id = '11111111-1111-4111-8111-111111111111';
const get = (path: string) => request(app).get(path).set('Authorization', 'ann');
const post = (path: string) => request(app).post(path).set('Authorization', 'ann');
beforeEach(() => void (finished.length = log.length = called.length = 0));

describe('a declared route', () => {
  test.each([`/api/projects/1/things/${id}`, `/api/projects/1/things/${id}/`, `/api/environments/1/things/${id}/`])(
    'answers %s without a redirect',
    async (path) => {
      const response = await get(`${path}?n=3&unknown=x`);
      expect([response.status, response.body]).toEqual([200, { id, said: `hello ann 3 found ${id}` }]);
    },
  );

  test('bodies: JSON, gzip, both kinds of form; numbers of forms are read from texts', async () => {
    const bodies = [
      post('/api/projects/1/things').send({ text: 'a', count: 1 }),
      post('/api/projects/1/things').type('form').send('text=a&count=1'),
      post('/api/projects/1/things').field('text', 'a').field('count', '1'),
      post('/api/projects/1/things')
        .type('json')
        .set('Content-Encoding', 'gzip')
        .serialize((x) => x as string)
        .send(gzipSync('{"text":"a","count":1}') as unknown as string),
    ];
    for (const response of await Promise.all(bodies))
      expect([response.status, response.body]).toEqual([201, { id: 'new', said: 'a1' }]);
  });

  test('bytes go out as they are', async () => {
    const response = await request(app).get('/bytes');
    expect([response.status, response.text, response.headers['content-type']]).toEqual([200, 'ab', 'text/plain']);
  });

  test('HEAD is GET without its body', async () => {
    const [requested, got] = [await request(app).head('/bytes'), await request(app).get('/bytes')];
    expect([
      requested.status,
      requested.text,
      requested.headers['content-type'],
      requested.headers['content-length'],
    ]).toEqual([200, undefined, got.headers['content-type'], got.headers['content-length']]);
  });

  test('every request leaves one wide line under the id that the reply carries', async () => {
    const response = await get(`/api/projects/1/things/${id}`);
    expect(finished).toEqual([
      expect.objectContaining({
        operation: 'get_thing',
        status: 200,
        aborted: false,
        requestId: response.headers['x-request-id'],
      }),
    ]);
  });
});

describe('a reply that comes bit by bit', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  /** Bytes that a client of this HTTP version reads, to the end of the connection; `ended`: by an end, not by a reset. */
  const read = (path: string, version: '1.0' | '1.1'): Promise<{ text: string; ended: boolean }> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`),
      );
      socket.setEncoding('utf8').on('data', (more: string) => (text += more));
      socket.on('error', () => resolve({ text, ended: false })).on('end', () => resolve({ text, ended: true }));
    });

  test('arrives whole, and what is only known at its end as trailers', async () => {
    const { text, ended } = await read('/stream', '1.1');
    expect([text.startsWith('HTTP/1.1 200'), ended]).toEqual([true, true]);
    expect(text).toContain('2\r\na\n\r\n2\r\nb\n\r\n0\r\nx-rows: 2\r\n\r\n');
    expect(await read('/stream', '1.0')).toEqual({ text: expect.stringMatching(/\r\n\r\na\nb\n$/), ended: true });
  });

  test('to a client that disconnects has its own mark in the wide log line', async () => {
    const queried = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
      queried.write('GET /stream?failing=never HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    queried.once('data', () => queried.destroy());
    await eventually(() => expect(finished).toMatchObject([{ operation: 'get_stream', aborted: true }]));
    expect(log).toEqual([]);
  });

  test('that fails before its first byte is an error like any other', async () => {
    const response = await request(app).get('/stream?failing=early');
    expect([response.status, response.body]).toEqual([400, expect.objectContaining({ code: 'query_error' })]);
  });

  test.each(['1.0', '1.1'] as const)('that fails later is cut, never ended: HTTP/%s', async (version) => {
    const { text, ended } = await read('/stream?failing=late', version);
    expect([ended, text.includes('0\r\n\r\n'), text.includes('unavailable')]).toEqual([false, false, false]);
    expect(log.join()).toContain('unavailable');
  });

  test('is requested by a media type, or a parameter whose choices are documented', async () => {
    expect((await request(app).get('/stream').set('Accept', 'text/csv')).status).toBe(200);
    expect((await request(app).get('/stream').set('Accept', 'text/html')).status).toBe(406);
    const response = await request(app).get('/stream?failing=soon');
    expect([response.status, response.body]).toEqual([
      400,
      expect.objectContaining({ error: 'Invalid failing parameter: soon. Choose one of: early, late, never.' }),
    ]);
  });
});

describe('the order of checks: access, object, body, query (contract/orgs-errors 1.3)', () => {
  test.each<[string, () => request.Test, number, string, string | null]>([
    [
      'no key before everything',
      () => request(app).get('/api/projects/1/things/x?n=x'),
      401,
      'not_authenticated',
      null,
    ],
    [
      'no key before a bad body',
      () => request(app).post('/api/projects/1/things').type('json').send('{'),
      401,
      'not_authenticated',
      null,
    ],
    ['a malformed id is an unknown one', () => get('/api/projects/1/things/x?n=x'), 404, 'not_found', null],
    [
      'the object before the query',
      () => get('/api/projects/1/things/01111111-1111-4111-8111-111111111111?n=x'),
      404,
      'not_found',
      null,
    ],
    ['the query', () => get(`/api/projects/1/things/${id}?n=x`), 400, 'invalid_input', 'n'],
    ['a query below its minimum', () => get(`/api/projects/1/things/${id}?n=0`), 400, 'min_value', 'n'],
    ['a NUL in the query', () => get(`/api/projects/1/things/${id}?n=%00`), 400, 'null_characters_not_allowed', 'n'],
    ['a body that is no JSON', () => post('/api/projects/1/things').type('json').send('{'), 400, 'parse_error', null],
    ['a missing field', () => post('/api/projects/1/things').send({}), 400, 'required', 'text'],
    [
      'another media type',
      () => post('/api/projects/1/things').type('text/xml').send('<a/>'),
      415,
      'unsupported_media_type',
      null,
    ],
    [
      'text is no JSON',
      () => post('/api/projects/1/things').type('text/plain').send('{"text":"a"}'),
      415,
      'unsupported_media_type',
      null,
    ],
    [
      'a form where only JSON will do',
      () => post('/api/exact').type('form').send('text=a'),
      415,
      'unsupported_media_type',
      null,
    ],
    [
      'a form in parts where only JSON will do',
      () => post('/api/exact').field('text', 'a'),
      415,
      'unsupported_media_type',
      null,
    ],
    [
      'a file in a form',
      () => post('/api/projects/1/things').attach('text', Buffer.from('a'), 'a.txt'),
      400,
      'invalid_input',
      'text',
    ],
    [
      'a form without an end',
      () => post('/api/projects/1/things').type('multipart/form-data; boundary=x').send('--x\r\n'),
      400,
      'parse_error',
      null,
    ],
    [
      'no key before a NUL in the query',
      () => request(app).get('/api/projects/1/things/x?n=%00'),
      401,
      'not_authenticated',
      null,
    ],
    [
      'no key before a large body',
      () => request(app).post('/api/projects/1/things').send(ofBytes(300_000)),
      401,
      'not_authenticated',
      null,
    ],
    [
      'a key is not looked for in a large body',
      () => request(app).post('/api/projects/1/things').send(ofBytes(70_000)),
      401,
      'not_authenticated',
      null,
    ],
    [
      'no key before what the client accepts',
      () => request(app).post('/api/exact').set('Accept', 'text/html'),
      401,
      'not_authenticated',
      null,
    ],
    [
      'what the client accepts before the object',
      () => get('/api/projects/1/things/x').set('Accept', 'text/html'),
      406,
      'not_acceptable',
      null,
    ],
    [
      'another encoding',
      () => post('/api/projects/1/things').type('json').set('Content-Encoding', 'snappy').send('{}'),
      415,
      'unsupported_media_type',
      null,
    ],
    ['a large body', () => post('/api/projects/1/things').send(ofBytes(300_000)), 413, 'request_too_large', null],
    [
      'a large body of a stranger',
      () => request(app).post('/api/public').send(ofBytes(70_000)),
      413,
      'request_too_large',
      null,
    ],
  ])('%s', async (_name, send, status, code, attr) => {
    const response = await send();
    expect([response.status, response.body]).toEqual([
      status,
      { type: expect.any(String), code, detail: expect.any(String), attr },
    ]);
  });

  test.each<[string, () => request.Test]>([
    ['JSON', () => request(app).post('/api/projects/1/things').send({ text: 'a', personal_api_key: 'bob' })],
    ['a form', () => request(app).post('/api/projects/1/things').type('form').send('text=a&personal_api_key=bob')],
    [
      'a form in parts',
      () => request(app).post('/api/projects/1/things').field('text', 'a').field('personal_api_key', 'bob'),
    ],
  ])('a key in %s is a credential, not a field', async (_name, send) => expect((await send()).status).toBe(201));

  test('a large body is read for those whose key is elsewhere', async () => {
    expect((await post('/api/projects/1/things').send(ofBytes(70_000, {}))).status).toBe(201);
    expect(
      (await request(app).post('/api/projects/1/things?personal_api_key=bob').send(ofBytes(70_000, {}))).status,
    ).toBe(201);
  });

  test('a key may be in the body of a GET, or of a method that is not there', async () => {
    expect((await request(app).get(`/api/projects/1/things/${id}`).send({ personal_api_key: 'bob' })).status).toBe(200);
    expect((await request(app).put('/api/projects/1/things').send({ personal_api_key: 'bob' })).status).toBe(405);
    expect((await request(app).put('/api/projects/1/things?personal_api_key=bob')).status).toBe(405);
  });

  test('the service is notified of every handler that ended, also with an error, and of no refused call', async () => {
    await request(app).get(`/api/projects/1/things/${id}`);
    await get('/api/projects/1/things/x');
    expect(called).toEqual([]);
    await get(`/api/projects/1/things/${id}`);
    await post('/api/break');
    expect(called).toEqual([shared.access, shared.access]);
  });
});

describe('404, 405, 500 (contract/decisions 11)', () => {
  test('a call that its caller got wrong is no error in the log', async () => {
    await get('/api/nothing');
    await post('/api/projects/1/things').send({});
    expect([log, finished.map(({ operation, status }) => [operation, status])]).toEqual([
      [],
      [
        ['unknown', 404],
        ['make_thing', 400],
      ],
    ]);
  });

  test.each([
    ['an unknown path, whatever the key', () => request(app).get('/api/nothing'), 404, 'not_found'],
    ['the root of all paths', () => request(app).get('/api'), 404, 'not_found'],
    ['a path that cannot be decoded', () => get('/api/projects/1/things/%E0%A4%A'), 404, 'not_found'],
    ['a known path without a key', () => request(app).put('/api/projects/1/things'), 401, 'not_authenticated'],
    [
      'a known path with another method',
      () => request(app).put('/api/projects/1/things').set('Authorization', 'ann'),
      405,
      'method_not_allowed',
    ],
    ['another method of a public path', () => request(app).post('/bytes'), 405, 'method_not_allowed'],
  ])('%s', async (_name, send, status, code) => {
    const response = await send();
    expect([response.status, (response.body as { code: string }).code]).toEqual([status, code]);
  });

  test('405 names the methods there are, 401 how to authenticate', async () => {
    const response = await post(`/api/projects/1/things/${id}`);
    expect([response.headers['allow'], (response.body as { detail: string }).detail]).toEqual([
      'GET, HEAD',
      'Method "POST" not allowed. Use GET or HEAD.',
    ]);
    expect((await request(app).put('/api/break')).headers['www-authenticate']).toBe('Bearer');
  });

  test('an operation that is never allowed answers 405 without a body, and no other answer names its method', async () => {
    const path = `/api/projects/1/things/${id}`;
    const refused = await request(app).delete(path).set('Authorization', 'ann');
    expect([refused.status, refused.headers['allow'], refused.text]).toEqual([405, 'GET', '']);
    expect((await request(app).delete(path)).status).toBe(401);
    expect((await request(app).put(path).set('Authorization', 'ann')).headers['allow']).toBe('GET, HEAD');
  });

  test('what nobody foresaw is in the log under the id of the reply, not in the reply', async () => {
    const response = await post('/api/break');
    expect([response.status, response.body]).toEqual([
      500,
      { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null },
    ]);
    expect(log.join('')).toContain('secret of the database');
    expect(log.join('')).toContain(response.headers['x-request-id']);
  });

  test('a route with a page for errors shows it to those who prefer HTML, with the status and the headers of the error', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const unknown = await request(app).get('/page').set('Accept', browser);
    expect([unknown.status, unknown.text]).toEqual([401, 'Authentication credentials were not provided.']);
    expect(unknown.headers).toMatchObject({
      'content-type': 'text/html',
      'www-authenticate': 'Bearer',
      'x-page': 'yes',
    });
    const broken = await get('/page').set('Accept', browser);
    expect([broken.status, broken.text]).toEqual([500, 'A server error occurred.']);
    expect(log.join('')).toContain(broken.headers['x-request-id']);
    for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json'])
      expect((await get('/page').set('Accept', accept)).headers['content-type']).toBe('application/json');
    expect((await post('/api/break').set('Accept', browser)).headers['content-type']).toBe('application/json');
  });
});
