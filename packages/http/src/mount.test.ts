import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { Integer, Object as ObjectType, Optional, String as Text } from 'typebox';
import { routeDefiner } from './define-route.ts';
import { AppError } from './errors.ts';
import { mountRoutes, type FinishedRequest } from './mount.ts';
import { bytes, reply } from './reply.ts';

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
    handler: ({ params, query, context, auth, found }) => ({ id: params.id, said: `${context.greeting} ${auth.name} ${query.n ?? 0} ${found}` }),
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
    operationId: 'get_bytes',
    method: 'get',
    path: '/bytes',
    responses: { 200: Text({ contentMediaType: 'text/plain' }) },
    handler: () => bytes('text/plain', [Buffer.from('a'), Buffer.from('b')]),
  }),
];

const finished: FinishedRequest[] = [];
const log: string[] = [];
const authenticate = ({ authorization, body }: { authorization: string | undefined; body: () => Readonly<Record<string, unknown>> | undefined }) => {
  const name = authorization ?? body()?.['personal_api_key'];
  if (typeof name !== 'string') return Promise.reject(new AppError('not_authenticated'));
  return Promise.resolve({ name });
};
const app = express();
mountRoutes(app, routes, {
  context: { greeting: 'hello' },
  authenticate,
  authorize: async (access, _path, credentials) => (access === 'public' ? null : authenticate(credentials)),
  aliases: { '/api/environments/': '/api/projects/' },
  bodyBytesMax: 2000,
  log: { error: (fields) => void log.push(inspect(fields)) },
  onFinish: (line) => void finished.push(line),
});

const id = '11111111-1111-4111-8111-111111111111';
const get = (path: string) => request(app).get(path).set('Authorization', 'ann');
const post = (path: string) => request(app).post(path).set('Authorization', 'ann');
beforeEach(() => void (finished.length = log.length = 0));

describe('a declared route', () => {
  test.each([`/api/projects/1/things/${id}`, `/api/projects/1/things/${id}/`, `/api/environments/1/things/${id}/`])('answers %s without a redirect', async (path) => {
    const response = await get(`${path}?n=3&unknown=x`);
    expect([response.status, response.body]).toEqual([200, { id, said: `hello ann 3 found ${id}` }]);
  });

  test('bodies: JSON, gzip, form; numbers of forms are read from texts', async () => {
    const bodies = [
      post('/api/projects/1/things').send({ text: 'a', count: 1 }),
      post('/api/projects/1/things').type('form').send('text=a&count=1'),
      post('/api/projects/1/things').type('json').set('Content-Encoding', 'gzip').serialize((x) => x as string).send(gzipSync('{"text":"a","count":1}') as unknown as string),
    ];
    for (const response of await Promise.all(bodies)) expect([response.status, response.body]).toEqual([201, { id: 'new', said: 'a1' }]);
  });

  test('bytes go out as they are', async () => {
    const response = await request(app).get('/bytes');
    expect([response.status, response.text, response.headers['content-type']]).toEqual([200, 'ab', 'text/plain']);
  });

  test('every request leaves one wide line under the id that the reply carries', async () => {
    const response = await get(`/api/projects/1/things/${id}`);
    expect(finished).toEqual([expect.objectContaining({ operation: 'get_thing', status: 200, aborted: false, requestId: response.headers['x-request-id'] })]);
  });
});

describe('the order of checks: access, object, body, query (contract/orgs-errors 1.3)', () => {
  test.each<[string, () => request.Test, number, string, string | null]>([
    ['no key before everything', () => request(app).get('/api/projects/1/things/x?n=x'), 401, 'not_authenticated', null],
    ['no key before a bad body', () => request(app).post('/api/projects/1/things').type('json').send('{'), 401, 'not_authenticated', null],
    ['a malformed id is an unknown one', () => get('/api/projects/1/things/x?n=x'), 404, 'not_found', null],
    ['the object before the query', () => get('/api/projects/1/things/01111111-1111-4111-8111-111111111111?n=x'), 404, 'not_found', null],
    ['the query', () => get(`/api/projects/1/things/${id}?n=x`), 400, 'invalid_input', 'n'],
    ['a query below its minimum', () => get(`/api/projects/1/things/${id}?n=0`), 400, 'min_value', 'n'],
    ['a NUL in the query', () => get(`/api/projects/1/things/${id}?n=%00`), 400, 'null_characters_not_allowed', 'n'],
    ['a body that is no JSON', () => post('/api/projects/1/things').type('json').send('{'), 400, 'parse_error', null],
    ['a missing field', () => post('/api/projects/1/things').send({}), 400, 'required', 'text'],
    ['another media type', () => post('/api/projects/1/things').type('text/xml').send('<a/>'), 415, 'unsupported_media_type', null],
    ['another encoding', () => post('/api/projects/1/things').type('json').set('Content-Encoding', 'snappy').send('{}'), 415, 'unsupported_media_type', null],
    ['a large body', () => post('/api/projects/1/things').send({ text: 'x'.repeat(3000) }), 413, 'request_too_large', null],
  ])('%s', async (_name, send, status, code, attr) => {
    const response = await send();
    expect([response.status, response.body]).toEqual([status, { type: expect.any(String), code, detail: expect.any(String), attr }]);
  });

  test('a key in the body is a credential, not a field', async () => {
    const response = await request(app).post('/api/projects/1/things').send({ text: 'a', personal_api_key: 'bob' });
    expect(response.status).toBe(201);
  });
});

describe('404, 405, 500 (contract/decisions 11)', () => {
  test.each([
    ['an unknown path, whatever the key', () => request(app).get('/api/nothing'), 404, 'not_found'],
    ['a path that cannot be decoded', () => get('/api/projects/1/things/%E0%A4%A'), 404, 'not_found'],
    ['a known path without a key', () => request(app).put('/api/projects/1/things'), 401, 'not_authenticated'],
    ['a known path with another method', () => request(app).put('/api/projects/1/things').set('Authorization', 'ann'), 405, 'method_not_allowed'],
    ['another method of a public path', () => request(app).post('/bytes'), 405, 'method_not_allowed'],
  ])('%s', async (_name, send, status, code) => {
    const response = await send();
    expect([response.status, (response.body as { code: string }).code]).toEqual([status, code]);
  });

  test('405 names the methods there are, 401 how to authenticate', async () => {
    expect((await post(`/api/projects/1/things/${id}`)).headers['allow']).toBe('GET, HEAD');
    expect((await request(app).put('/api/break')).headers['www-authenticate']).toBe('Bearer');
  });

  test('what nobody foresaw is in the log under the id of the reply, not in the reply', async () => {
    const response = await post('/api/break');
    expect([response.status, response.body]).toEqual([500, { type: 'server_error', code: 'error', detail: 'A server error occurred.', attr: null }]);
    expect(log.join('')).toContain('secret of the database');
    expect(log.join('')).toContain(response.headers['x-request-id']);
  });
});
