import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LogUnavailableError, OutcomeUnknownError, type EventLog } from '@millrace/event-log/event-log.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { ErrorReplyName } from '../http/error-replies.ts';
import { errorReply } from '../http/replies.ts';
import type { Route } from '../http/route.ts';
import { createRoutes } from '../routes.ts';
import { createSdkStubs } from '../sdk-stubs/sdk-stubs.ts';
import { openSdkFiles } from '../web-sdk/sdk-files.ts';
import { createWebSdk } from '../web-sdk/web-sdk.ts';
import { addressOf } from '../test/address-of.ts';
import { startCapture, token, type CaptureUnderTest } from '../test/capture-under-test.ts';
import type { openApiDocument } from './openapi-document.ts';

type Document = ReturnType<typeof openApiDocument>;
interface Documented {
  operationId: string;
  requestBody?: object;
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

const nobody = (): Promise<void> => Promise.resolve();
const routes = createRoutes({
  receiveEvents: nobody,
  receivePersons: nobody,
  receiveV1Events: nobody,
  discardRecordings: nobody,
  sdkStubs: createSdkStubs({} as Parameters<typeof createSdkStubs>[0]),
  webSdk: createWebSdk(openSdkFiles()),
  limits: { bodyBytesMax: 1, inflatedBytesMax: 1 },
});

/** A log whose appends all fail. */
const logThat = (fails: Error): EventLog => ({
  partitions: 8,
  append: () => Promise.reject(fails),
  unhealthyReason: () => null,
  subscribe: () => Promise.reject(new Error('not in this test')),
  close: () => Promise.resolve(),
});
const instances = {
  usual: () => startCapture(),
  impatient: () => startCapture({ bodyIdleMsMax: 100 }),
  hasty: () => startCapture({ bodyRateMs: 100, bodyBytesPerSecondMin: 1_000_000 }),
  narrow: () => startCapture({ bytesInFlightMax: 100_000 }),
  limited: () =>
    startCapture({
      limits: {
        tokenRate: 1,
        tokenBurst: 1,
        projectRate: 0,
        projectBurst: 1,
        keyRate: 0,
        keyBurst: 1,
        overflowKeepsKey: true,
      },
    }),
  full: () => startCapture({}, { openLog: () => Promise.resolve(logThat(new LogUnavailableError('full'))) }),
  silent: () => startCapture({}, { openLog: () => Promise.resolve(logThat(new OutcomeUnknownError('late'))) }),
  faulty: () =>
    startCapture(
      {},
      { openLog: () => Promise.resolve(logThat(new Error('never asked'))), clock: { nowMs: () => NaN } },
    ),
} as const;
type Instance = keyof typeof instances;

let captures: Record<Instance, CaptureUnderTest>;
let document: Document;
let ajv: Ajv2020;
beforeAll(async () => {
  captures = Object.fromEntries(
    await Promise.all(Object.entries(instances).map(async ([name, start]) => [name, await start()])),
  ) as typeof captures;
  // Not by `json()`: what that makes is of another realm than the test, where ajv holds no two objects equal.
  document = JSON.parse(await (await fetch(`${captures.usual.url}/openapi.json`)).text()) as Document;
  ajv = new Ajv2020({ strict: false, formats: fullFormats });
  ajv.addSchema({ ...document, $id: 'document' });
});
afterAll(() => Promise.all(Object.values(captures ?? {}).map((capture) => capture.close())));

const operationOf = (path: string, method: string) =>
  (document.paths[path.replaceAll(/:(\w+)/g, '{$1}')] as Record<string, Documented>)[method.toLowerCase()];
const served = routes.flatMap((route) =>
  route.methods.map((method) => ({ route, method, name: `${method} ${route.path}` })),
);
const bearer = { authorization: `Bearer ${token}` };
const event = {
  event: 'e',
  distinct_id: 'd',
  uuid: '01900000-0000-7000-8000-000000000000',
  timestamp: '2026-01-02T03:04:05Z',
  properties: {},
};
const batch = (more: object = {}, changes: object = {}) =>
  JSON.stringify({ api_key: token, batch: [{ ...event, ...changes }], ...more });

/** Holds a reply to the schema of its operation and status. */
function expectDocumented(route: Route, method: string, status: number, text: string): void {
  const response = operationOf(route.path, method)?.responses[status];
  expect([route.path, method, status, response !== undefined]).toEqual([route.path, method, status, true]);
  const [type, content] = Object.entries(response?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return expect(text).toBe('');
  if (type !== 'application/json') return expect(content.schema).toEqual({ type: 'string' });
  const pointer = [
    'paths',
    route.path.replaceAll(/:(\w+)/g, '{$1}'),
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ];
  const validate = ajv.compile({
    $ref: `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
  });
  expect([route.path, status, validate(JSON.parse(text)), validate.errors]).toEqual([route.path, status, true, null]);
}

describe('the document', () => {
  test('is valid OpenAPI 3.1 by a validator that we have not written', async () => {
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const validator = new Validator();
    expect(await validator.validate(document as never)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has every route with every method, and no other; names are unique; each component is used, and each reference leads to one', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(documented.sort()).toEqual(served.map(({ name }) => name).sort());
    const names = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as Record<string, Documented>).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    expect([...references].sort()).toEqual(Object.keys(document.components.schemas).sort());
  });

  test.each(served.map(({ name, ...one }) => [name, one] as const))(
    '%s: is served, and its success is as documented',
    async (_name, { route, method }) => {
      const query = method === 'GET' && route.access === 'project-token' ? `?data=${encodeURIComponent(batch())}` : '';
      const response = await fetch(`${captures.usual.url}${addressOf(route.path)}${query}`, {
        method,
        headers: { ...bearer, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: batch() }),
      });
      expect(response.status).toBe(200);
      expectDocumented(route, method, 200, await response.text());
    },
  );

  test('errors in strict mode, and the reply to old beacons', async () => {
    const route = routes.find(({ path }) => path === '/batch') as Route;
    const strict = await captures.usual.post('/batch?strict=1', batch({}, { event: '' }));
    expectDocumented(route, 'POST', strict.status, await strict.text());
    const beacon = await captures.usual.post('/batch?beacon=1', batch());
    expect(beacon.status).toBe(204);
    expectDocumented(route, 'POST', beacon.status, await beacon.text());
  });
});

interface Provoked {
  on?: Instance;
  query?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  method?: 'GET';
  /** Sent as it is, on a connection of its own. */
  raw?: string;
  /** How many times it is sent; the last reply counts. */
  times?: number;
}

const megabytes = (count: number, text = 'x'): string => text.repeat(count * 1024 * 1024);
const keys = (count: number, letter: string): string =>
  Array.from({ length: count }, (_, index) => `"${letter}${index}":1`).join();
const ofToken = (api_key: string): Provoked => ({
  body: batch({ api_key }),
  headers: { authorization: `Bearer ${api_key}` },
});

/** A request for each error there is. */
const provocations: Record<ErrorReplyName, (route: Route) => Provoked> = {
  unreadableCompression: () => ({ body: Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), Buffer.alloc(40, 1)]) }),
  unreadableLz: () => ({ query: '?compression=lz64', body: 'data=AAAA' }),
  notUtf8: () => ({ body: Buffer.from('{"event":"\xff"}', 'latin1') }),
  notJson: () => ({ body: '{' }),
  tooDeep: () => ({ body: '['.repeat(20_000) }),
  notAnEvent: () => ({ body: '5' }),
  batchNotAnArray: () => ({ body: '{"batch":5}' }),
  emptyBatch: () => ({ body: '{"batch":[]}' }),
  noToken: () => ({ body: JSON.stringify({ batch: [event] }) }),
  noAuthorization: () => ({ body: batch(), headers: { authorization: '' } }),
  mixedTokens: () => ({
    body: JSON.stringify([
      { ...event, api_key: 'a' },
      { ...event, api_key: 'b' },
    ]),
  }),
  emptyToken: () => ofToken(''),
  longToken: () => ofToken('x'.repeat(65)),
  foreignToken: () => ofToken('phc_ü'),
  placeholderToken: () => ofToken('phc_...'),
  nullByteToken: () => ({ body: batch({ api_key: 'a\0b' }) }),
  personalKey: () => ofToken('phx_a'),
  unknownToken: () => ofToken('phc_nobody'),
  notFound: () => ({ path: `/array/${'x'.repeat(65)}/config`, method: 'GET' }),
  methodNotAllowed: () => ({ method: 'GET' }),
  stalled: ({ path }) => ({
    on: 'impatient',
    raw: `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  }),
  tooSlow: ({ path }) => ({
    on: 'hasty',
    raw: `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  }),
  bodyTooLarge: () => ({ body: megabytes(26) }),
  inflatedTooLarge: () => ({ body: gzipSync(megabytes(5)) }),
  tooManyEvents: () => ({
    body: JSON.stringify({ api_key: token, batch: Array.from({ length: 10_001 }, () => event) }),
  }),
  tooManyKeys: () => ({ body: `{"batch":[{${keys(150_000, 'a')}},{${keys(150_000, 'b')}}]}` }),
  tooManyValues: () => ({
    body: `{"batch":[${Array.from({ length: 500 }, () => `{"distinct_id":[${'1,'.repeat(8_000)}1]}`).join()}]}`,
  }),
  eventTooLarge: () => ({ body: batch({ beside: megabytes(5) }) }),
  headersTooLarge: ({ path }) => ({ raw: `POST ${path} HTTP/1.1\r\nHost: x\r\nLong: ${'x'.repeat(20_000)}\r\n\r\n` }),
  malformedRequest: ({ path }) => ({ raw: `POST ${path} HTTP/1.1\r\nConnection: close\r\n\r\n` }),
  unsupportedType: () => ({ body: batch(), headers: { 'content-type': 'text/plain' } }),
  unsupportedEncoding: () => ({ body: batch(), headers: { 'content-encoding': 'compress' } }),
  missingUuid: () => ({ body: batch({}, { uuid: '' }) }),
  invalidUuid: () => ({ body: batch({}, { uuid: 'x' }) }),
  duplicateUuid: () => ({ body: batch({ batch: [event, event] }) }),
  rateLimited: () => ({ on: 'limited', body: batch(), times: 2 }),
  internalError: () => ({ on: 'faulty', body: batch() }),
  overloaded: () => ({ on: 'narrow', body: batch({}, { properties: { text: 'x'.repeat(200_000) } }) }),
  slowestEnded: ({ path }) => ({
    on: 'narrow',
    raw: `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n${' '.repeat(800_000)}`,
  }),
  logUnavailable: () => ({ on: 'full', body: batch() }),
  outcomeUnknown: () => ({ on: 'silent', body: batch() }),
};

async function send(
  route: Route,
  { on = 'usual', raw, path = route.path, query = '', headers = {}, body, method, times = 1 }: Provoked,
): Promise<{ status: number; text: string }> {
  const { url } = captures[on];
  if (raw !== undefined) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let reply = '';
    socket.on('data', (data: Buffer) => (reply += data.toString()));
    socket.on('error', () => undefined);
    socket.write(raw);
    await once(socket, 'close');
    return { status: Number(reply.slice(9, 12)), text: reply.slice(reply.indexOf('\r\n\r\n') + 4) };
  }
  for (let time = 1; time < times; time++)
    await send(route, { on, path, query, headers, ...(body !== undefined && { body }) });
  const response = await fetch(url + path + query, {
    method: method ?? 'POST',
    headers: { 'content-type': 'application/json', ...bearer, ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, text: await response.text() };
}

/** Each error once in each form that it is documented in, on the first route that has it. */
const documented = [
  ...new Map(
    routes.toReversed().flatMap((route) => {
      const { form, names = [], ofGet = [] } = route.operation.errors ?? {};
      return [...names, ...ofGet].map(
        (name) =>
          [
            `${form === undefined ? '' : form.codeOf('unknownToken')} ${name}`,
            {
              route,
              name,
              code: form?.codeOf(name),
              method: ofGet.includes(name) || !route.methods.includes('POST') ? 'GET' : 'POST',
            },
          ] as const,
      );
    }),
  ).values(),
].map((one) => [`${one.route.path} ${one.name}`, one] as const);
const everywhere = (['malformedRequest', 'headersTooLarge'] as const).flatMap((name) =>
  routes
    .filter(({ path }) => path === '/batch' || path === '/i/v1/analytics/events')
    .map((route) => [`${route.path} ${name}`, { route, name, code: errorReply(name).code, method: 'POST' }] as const),
);

describe('real replies are as documented', () => {
  test.each([...documented, ...everywhere])('%s', async (_name, { route, name, code, method }) => {
    const { status, text } = await send(route, provocations[name](route));
    const { code: inV0, error } = JSON.parse(text) as { code?: string; error: string };
    expect([status, inV0 ?? error]).toEqual([errorReply(name).status, code]);
    expectDocumented(route, method, status, text);
  });

  test('nothing that capture refuses is left out', () => {
    expect([...new Set([...documented, ...everywhere].map(([, { name }]) => name))].sort()).toEqual(
      Object.keys(provocations).sort(),
    );
  });
});
