import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { sendRequest, run, saveEndpoint } from '../support/api.ts';
import type { Local } from '../support/launcher.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startSystem, type System } from '../support/system.ts';

// Whatever is sent, the answer is the documented one, and the services stay up (contract/capture 1.7 and 2.8,
// contract/orgs-errors 1.2 to 1.5, contract/endpoints 4.6; the bodies: contract/decisions 38).
let system: System;
let local: Local;
let strangersKey: string;
let strangersProject: number;
let narrowKey: string;

beforeAll(async () => {
  system = await startSystem();
  local = system.local();
  const { organizationId } = system.millrace<{ organizationId: string }>(
    'organizations',
    'create',
    '--name',
    'Strangers',
  );
  strangersProject = system.millrace<{ projectId: number }>(
    'projects',
    'create',
    '--organization',
    organizationId,
    '--name',
    'Theirs',
  ).projectId;
  system.millrace(
    'users',
    'create',
    '--organization',
    organizationId,
    '--email',
    'stranger@example.com',
    '--first-name',
    'Stranger',
    '--level',
    '15',
  );
  strangersKey = system.millrace<{ key: string }>(
    'keys',
    'create',
    '--user',
    'stranger@example.com',
    '--scopes',
    '*',
  ).key;
  const { email } = system
    .millrace<{ email: string }[]>('keys', 'list')
    .find((key) => key.email !== 'stranger@example.com') ?? { email: '' };
  narrowKey = system.millrace<{ key: string }>('keys', 'create', '--user', email, '--scopes', 'survey:read').key;
  await saveEndpoint(local, 'fine', 'SELECT count() FROM events WHERE event = {variables.name}', {
    a: { code_name: 'name', type: 'String' },
  });
}, 120_000);

afterAll(async () => {
  await system?.destroy();
}, 30_000);

let printed = 0;
beforeEach(() => {
  printed = system.output().length;
});

/** The same processes as at the start, all ready, and the launcher reported nothing but dropped events. */
async function expectUnharmed(): Promise<void> {
  const reported = system
    .output()
    .slice(printed)
    .split('\n')
    .filter((line) => line !== '');
  expect(reported.filter((line) => !/ s {2}capture dropped (?:an event|\d+ events) of /.test(line))).toEqual([]);
  expect(system.local().processes).toEqual(local.processes);
  for (const url of [local.captureUrl, local.apiUrl]) expect((await fetch(`${url}/_readiness`)).status).toBe(200);
}

interface Refusal {
  status: number;
  type: string;
  code: string;
  attr?: string | null;
}

const unreadable: Refusal = { status: 400, type: 'invalid_request', code: 'parse_error', attr: null };
const wrongShape = (code: string, attr: string | null = null): Refusal => ({
  status: 400,
  type: 'validation_error',
  code,
  attr,
});
const badToken = (code: string): Refusal => ({ status: 401, type: 'authentication_error', code, attr: 'api_key' });
const tooLarge = (code: string, attr: string | null = null): Refusal => ({
  status: 413,
  type: 'validation_error',
  code,
  attr,
});

describe.each(['/i/v0/e/', '/batch/'])('capture, POST %s', (path) => {
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(local.captureUrl + path, {
      method: 'POST',
      headers,
      body:
        typeof body === 'string' || body instanceof Uint8Array
          ? new Uint8Array(Buffer.from(body))
          : JSON.stringify(body),
    });
  const event = (more: object = {}) => ({
    api_key: local.projectToken,
    event: 'odd',
    distinct_id: 'somebody',
    ...more,
  });
  const deep = (levels: number): string =>
    `{"api_key":"${local.projectToken}","event":"odd","distinct_id":"deep","properties":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

  test.each<[string, () => unknown, Refusal]>([
    ['an empty body', () => '', unreadable],
    ['blanks alone', () => ' \n\t ', unreadable],
    ['no JSON', () => '{"event":', unreadable],
    ['two JSON texts', () => '{}{}', unreadable],
    ['a form', () => 'event=a&distinct_id=b', unreadable],
    ['a NUL byte', () => '\0', unreadable],
    ['not UTF-8', () => Buffer.from('{"event":"\xff"}', 'latin1'), unreadable],
    ['UTF-16', () => Buffer.from('{"event":"e"}', 'utf16le'), unreadable],
    ['gzip that stops in the middle', () => gzipSync(JSON.stringify(event())).subarray(0, 30), unreadable],
    ['gzip with a wrong checksum', () => spoiled(gzipSync(JSON.stringify(event()))), unreadable],
    ['gzip of no JSON', () => gzipSync('no JSON'), unreadable],
    ['half a million brackets', () => '['.repeat(500_000), unreadable],
    ['an object of 20,000 levels', () => deep(20_000), unreadable],
    ['a number', () => '5', wrongShape('invalid_input')],
    ['null', () => 'null', wrongShape('invalid_input')],
    ['a text', () => '"event"', wrongShape('invalid_input')],
    ['no events', () => [], wrongShape('empty_batch')],
    ['an empty batch', () => ({ api_key: local.projectToken, batch: [] }), wrongShape('empty_batch')],
    [
      'a batch that is no array',
      () => ({ api_key: local.projectToken, batch: {} }),
      wrongShape('invalid_input', 'batch'),
    ],
    ['no token', () => ({ event: 'odd', distinct_id: 'somebody' }), badToken('not_authenticated')],
    ['a token that is no text', () => event({ api_key: 5 }), badToken('not_authenticated')],
    ['an empty token', () => event({ api_key: '' }), badToken('empty')],
    ['a token of 65 characters', () => event({ api_key: 'x'.repeat(65) }), badToken('too_long')],
    ['a token with a NUL', () => event({ api_key: 'phc_\0' }), badToken('null_byte')],
    ['a token that is not ASCII', () => event({ api_key: 'phc_ü' }), badToken('not_ascii')],
    ['a personal key for a token', () => event({ api_key: local.personalApiKey }), badToken('personal_api_key')],
    ['an unknown token', () => event({ api_key: 'phc_nobody' }), badToken('authentication_failed')],
    ['two tokens', () => [event(), event({ api_key: 'phc_nobody' })], badToken('inconsistent')],
    ['a body over 20 MiB', () => Buffer.alloc(20 * 1024 * 1024 + 1, 0x20), tooLarge('payload_too_large')],
    [
      'a body that inflates to over 64 MiB',
      () => gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1, 0x20)),
      tooLarge('payload_too_large'),
    ],
    [
      '10,001 events',
      () => ({ api_key: local.projectToken, batch: Array.from({ length: 10_001 }, () => ({})) }),
      tooLarge('too_many_events', 'batch'),
    ],
    [
      'one event over a megabyte',
      () => event({ properties: { x: 'y'.repeat(1_000_001) } }),
      tooLarge('event_too_large'),
    ],
  ])('%s', async (_name, body, { status, ...expected }) => {
    const reply = await post(body());
    const response = (await reply.json()) as Record<string, unknown>;
    expect({ status: reply.status, ...response }).toEqual({
      status,
      ...expected,
      detail: expect.any(String),
      error: response['detail'],
    });
    for (const secret of [local.projectToken, local.personalApiKey])
      expect(JSON.stringify(response)).not.toContain(secret);
    await expectUnharmed();
  });

  test.each<[string, () => unknown]>([
    ['without a name', () => event({ event: undefined })],
    ['with a name that is no text', () => event({ event: {} })],
    ['with an empty name', () => event({ event: '' })],
    ['without distinct_id', () => event({ distinct_id: undefined })],
    ['with an empty distinct_id', () => event({ distinct_id: '' })],
    ['with properties that are none', () => event({ properties: 'text' })],
    [
      'with a group key of 401 characters',
      () => event({ event: '$groupidentify', properties: { $group_type: 'a', $group_key: 'k'.repeat(401) } }),
    ],
    ['nested 200 levels deep', () => deep(200)],
    ['that is no event', () => [event({ event: undefined }), 5, null, []]],
  ])('an event %s is dropped by itself: 200', async (_name, body) => {
    const reply = await post(body());
    expect([reply.status, await reply.json()]).toEqual([200, { status: 'Ok' }]);
    await expectUnharmed();
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s: 405, and what is allowed', async (method) => {
    const reply = await fetch(local.captureUrl + path, { method });
    expect([reply.status, reply.headers.get('allow'), await reply.json()]).toEqual([
      405,
      expect.stringMatching(/\bPOST\b/),
      expect.objectContaining({ type: 'invalid_request', code: 'method_not_allowed' }),
    ]);
  });

  test('GET without an event is refused', async () => {
    const reply = await fetch(local.captureUrl + path);
    expect([400, 405]).toContain(reply.status);
    expect(await reply.json()).toMatchObject({ type: 'invalid_request', code: expect.any(String) });
  });

  test('what is odd in an event but can be kept comes back, and its neighbours too', async () => {
    const name = `kept ${path}`;
    const odd = [
      { distinct_id: 'x'.repeat(300), uuid: 'no uuid', timestamp: 'no time', offset: 'soon' },
      { properties: { '': '', '\u0000': '\u0000', '\ud800': '\ud800', n: 1e308, list: [[[]]], ['__proto__']: 1 } },
      { properties: { $set: 5, $set_once: [], $unset: {}, $groups: 'none', $process_person_profile: 'maybe' } },
      { properties: JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as unknown },
      { timestamp: '9999-12-31T23:59:59Z' },
      { timestamp: -1e15 },
      { event: name, $set: { big: 2 ** 60, text: '\ud83e' } },
    ];
    const reply = await post(odd.map((one) => ({ ...event(), event: name, ...one })));
    expect(reply.status).toBe(200);
    await saveEndpoint(local, `kept_${path.length}`, `SELECT count() FROM events WHERE event = '${name}'`);
    await eventually(
      async () => expect((await run(local, `kept_${path.length}`)).body.results).toEqual([[odd.length]]),
      { deadlineMs: 10_000 },
    );
    await expectUnharmed();
  });
});

test.each<[string, () => string]>([
  ['capture', () => local.captureUrl],
  ['management API', () => local.apiUrl],
])('%s: what is no HTTP, or has headers without end, is answered in JSON and closed', async (_name, url) => {
  const requests: [string, number, string][] = [
    ['NONSENSE\r\n\r\n', 400, 'malformed_request'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [
      'POST /batch/ HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'malformed_request',
    ],
  ];
  for (const [bytes, status, code] of requests) {
    const [head = '', body = ''] = (await sendRaw(url(), bytes)).split('\r\n\r\n');
    expect([head.slice(0, 12), JSON.parse(body)]).toEqual([
      `HTTP/1.1 ${status}`,
      expect.objectContaining({ type: 'invalid_request', code, attr: null }),
    ]);
  }
  await expectUnharmed();
});

test.each(['/nowhere', '/', '/batch/x', '/%ff', '/i/v0/e/../../..', '//batch//'])(
  'capture has nothing at %s: 404 as JSON',
  async (path) => {
    const reply = await fetch(local.captureUrl + path, { method: 'POST', body: '{}' });
    expect([reply.status, await reply.json()]).toEqual([
      404,
      expect.objectContaining({ type: 'invalid_request', code: 'not_found' }),
    ]);
  },
);

describe('management API', () => {
  interface RouteRequest {
    method?: string;
    path?: string;
    key?: string | null;
    body?: string | Uint8Array<ArrayBuffer>;
    type?: string;
  }
  const endpoints = (): string => `/api/projects/${local.projectId}/endpoints/`;
  const create = (query: unknown, more: object = {}): RouteRequest => ({
    body: JSON.stringify({ name: 'made', query, ...more }),
  });
  const sql = (text: string, variables?: unknown): RouteRequest =>
    create({ kind: 'HogQLQuery', query: text, ...(variables === undefined ? {} : { variables }) });
  const runs = (body: unknown): RouteRequest => ({ path: `${endpoints()}fine/run`, body: JSON.stringify(body) });

  async function send({
    method = 'POST',
    path = endpoints(),
    key = local.personalApiKey,
    body,
    type = 'application/json',
  }: RouteRequest): Promise<Response> {
    const headers = { 'content-type': type, ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
    return await fetch(local.apiUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
  }

  const refused = (status: number, code: string): Refusal => ({
    status,
    type: 'authentication_error',
    code,
    attr: null,
  });
  const invalid = (status: number, code: string): Refusal => ({ status, type: 'invalid_request', code, attr: null });

  test.each<[string, () => RouteRequest, Refusal]>([
    ['no key', () => ({ key: null }), refused(401, 'not_authenticated')],
    ['an unknown key', () => ({ key: 'phx_nobody' }), refused(401, 'authentication_failed')],
    ['a project token for a key', () => ({ key: local.projectToken }), refused(401, 'authentication_failed')],
    ['a key of 5,000 characters', () => ({ key: 'x'.repeat(5_000) }), refused(401, 'authentication_failed')],
    ['a key without the scope', () => ({ key: narrowKey }), refused(403, 'permission_denied')],
    ['a key of another organization', () => ({ key: strangersKey }), refused(403, 'permission_denied')],
    [
      'the project of another organization',
      () => ({ path: `/api/projects/${strangersProject}/endpoints/` }),
      refused(403, 'permission_denied'),
    ],
    ['an unknown project', () => ({ path: '/api/projects/999999/endpoints/' }), invalid(404, 'not_found')],
    ['a project that is no number', () => ({ path: "/api/projects/1'--/endpoints/" }), invalid(404, 'not_found')],
    ['an unknown path', () => ({ path: '/api/projects/1/nothing/' }), invalid(404, 'not_found')],
    ['an unknown path, without key', () => ({ path: '/api/nothing', key: null }), invalid(404, 'not_found')],
    ['an unknown endpoint', () => ({ path: `${endpoints()}nobody/run`, body: '{}' }), invalid(404, 'not_found')],
    ['a name that cannot be one', () => ({ path: `${endpoints()}%00/run`, body: '{}' }), invalid(404, 'not_found')],
    ['a path that is no UTF-8', () => ({ path: `${endpoints()}%ff/run`, body: '{}' }), invalid(404, 'not_found')],
    ['a wrong method', () => ({ method: 'PUT', body: '{}' }), invalid(405, 'method_not_allowed')],
    [
      'a wrong method, without key',
      () => ({ method: 'PUT', key: null, body: '{}' }),
      refused(401, 'not_authenticated'),
    ],
    ['XML', () => ({ type: 'text/xml', body: '<a/>' }), invalid(415, 'unsupported_media_type')],
    ['no JSON', () => ({ body: '{"name":' }), invalid(400, 'parse_error')],
    ['50,000 brackets', () => ({ body: '['.repeat(50_000) }), invalid(400, 'parse_error')],
    [
      'a body over a megabyte',
      () => create({}, { description: 'x'.repeat(2_000_000) }),
      invalid(413, 'request_too_large'),
    ],
    ['an array', () => ({ body: '[]' }), wrongShape('invalid_input')],
    ['an empty body', () => ({ body: '' }), wrongShape('required', 'name')],
    ['a name with a blank', () => create({}, { name: 'a b' }), wrongShape('invalid_input', 'name')],
    [
      'a NUL in a text',
      () => create({}, { description: 'a\0b' }),
      wrongShape('null_characters_not_allowed', 'description'),
    ],
    ['no query', () => ({ body: '{"name":"made"}' }), wrongShape('required', 'query')],
    ['an unknown field', () => create({}, { colour: 'red' }), wrongShape('invalid_input', 'colour')],
    ['an unknown kind of query', () => create({ kind: 'Other' }), wrongShape('invalid_input', 'query')],
    ['SQL that is none', () => sql('SELEC 1'), wrongShape('invalid_input', 'query')],
    ['SQL that changes something', () => sql('DROP TABLE events'), wrongShape('invalid_input', 'query')],
    ['two statements', () => sql('SELECT 1; SELECT 2'), wrongShape('invalid_input', 'query')],
    ['a table of the engine', () => sql('SELECT * FROM system.users'), wrongShape('invalid_input', 'query')],
    ['an unknown column', () => sql('SELECT nothing FROM events'), wrongShape('invalid_input', 'query')],
    [
      'an unknown function',
      () => sql("SELECT url('http://127.0.0.1') FROM events"),
      wrongShape('invalid_input', 'query'),
    ],
    [
      'SQL nested 5,000 deep',
      () => sql(`SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`),
      wrongShape('invalid_input', 'query'),
    ],
    ['an undeclared variable', () => sql('SELECT {variables.x}'), wrongShape('invalid_input', 'query')],
    ['declarations that are none', () => sql('SELECT 1', 5), wrongShape('invalid_input', 'query')],
    [
      'a default of another type',
      () => sql('SELECT {variables.n}', { a: { code_name: 'n', type: 'Number', value: 'x' } }),
      wrongShape('invalid_input', 'query'),
    ],
    [
      'a taken name',
      () => ({ body: JSON.stringify({ name: 'fine', query: { kind: 'HogQLQuery', query: 'SELECT 1' } }) }),
      wrongShape('unique', 'name'),
    ],
    ['run: variables that are none', () => runs({ variables: 5 }), wrongShape('invalid_input', 'variables')],
    ['run: a variable missing', () => runs({}), wrongShape('required', 'variables')],
    [
      'run: an unknown variable',
      () => runs({ variables: { name: 'a', other: 1 } }),
      wrongShape('invalid_input', 'variables'),
    ],
    [
      'run: a variable of another type',
      () => runs({ variables: { name: {} } }),
      wrongShape('invalid_input', 'variables'),
    ],
    ['run: limit 0', () => runs({ variables: { name: 'a' }, limit: 0 }), wrongShape('min_value', 'limit')],
    [
      'run: an unknown field',
      () => runs({ query_override: 'SELECT 1' }),
      wrongShape('invalid_input', 'query_override'),
    ],
  ])('%s', async (_name, request, { status, ...expected }) => {
    const reply = await send(request());
    const result = (await reply.json()) as Record<string, unknown>;
    expect({ status: reply.status, ...result }).toEqual({ status, ...expected, detail: expect.stringMatching(/./) });
    expect(reply.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    for (const secret of [local.personalApiKey, narrowKey]) expect(JSON.stringify(result)).not.toContain(secret);
    await expectUnharmed();
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['a limit that is no number', '?limit=x', { status: 400, error: 'Invalid limit parameter: x' }],
    ['offset without limit', '?offset=1', { status: 400, error: 'offset requires limit.' }],
    ['an unknown version', '?version=7', { status: 404, current_version: 1, error: expect.stringContaining('7') }],
  ])('run with %s: the short body of contract/endpoints 4.6', async (_name, query, expected) => {
    const reply = await sendRequest<Record<string, unknown>>(local, 'GET', `${endpoints()}fine/run${query}`);
    expect({ status: reply.status, ...reply.body }).toMatchObject(expected);
    await expectUnharmed();
  });

  test('after all of that it still does its work', async () => {
    expect((await run(local, 'fine', { variables: { name: 'odd' } })).status).toBe(200);
    expect(
      (
        await fetch(`${local.captureUrl}/i/v0/e/`, {
          method: 'POST',
          body: JSON.stringify({ api_key: local.projectToken, event: 'e', distinct_id: 'd' }),
        })
      ).status,
    ).toBe(200);
  });
});

/** A gzip file whose checksum says something else. */
function spoiled(zipped: Buffer): Buffer {
  const at = zipped.length - 6;
  zipped.writeUInt8((zipped[at] ?? 0) ^ 0xff, at);
  return zipped;
}
