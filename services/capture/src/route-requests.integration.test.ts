import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRoutes } from './routes.ts';
import { createSdkStubs } from './sdk-stubs/sdk-stubs.ts';
import { openSdkFiles } from './web-sdk/sdk-files.ts';
import { createWebSdk } from './web-sdk/web-sdk.ts';
import { addressOf } from './test/address-of.ts';
import { startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';
import type { Route } from './http/route.ts';

// Every route of the list gets the same requests, by its declaration; a new route needs nothing here.
const nobody = (): Promise<void> => Promise.resolve();
const handlers = { receiveEvents: nobody, receivePersons: nobody, receiveV1Events: nobody, discardRecordings: nobody };
const routes = createRoutes({
  ...handlers,
  sdkStubs: createSdkStubs({} as Parameters<typeof createSdkStubs>[0]),
  webSdk: createWebSdk(openSdkFiles()),
  limits: { bodyBytesMax: 1, inflatedBytesMax: 1 },
});
const named = (list: readonly Route[]) => list.map((route) => [route.path, route] as const);
const withToken = routes.filter(({ access }) => access === 'project-token');
const open = routes.filter(({ access }) => access === 'public');

let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

interface RouteRequest {
  method?: string;
  body?: string;
  headers?: Record<string, string>;
  slash?: boolean;
  query?: string;
}

/** The reply, never a redirect or a fault of ours, with an error's body in one of the two forms that capture has. */
async function send(
  { path, methods }: Route,
  {
    method = methods.includes('POST') ? 'POST' : 'GET',
    body,
    headers = {},
    slash = false,
    query = '',
  }: RouteRequest = {},
) {
  const url = `${capture.url}${addressOf(path)}${slash ? '/' : ''}${query}`;
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  expect([path, response.status < 300 || (response.status >= 400 && response.status < 500)]).toEqual([path, true]);
  if (response.status < 400) return response.status;
  const { detail, error, error_description: description } = JSON.parse(text) as Record<string, unknown>;
  expect([path, [typeof (detail ?? description), typeof error]]).toEqual([path, ['string', 'string']]);
  return response.status;
}

const event = (apiKey: string): string =>
  JSON.stringify({
    api_key: apiKey,
    batch: [
      {
        event: 'asked',
        distinct_id: 'd',
        uuid: '01900000-0000-7000-8000-000000000000',
        timestamp: '2026-01-02T03:04:05Z',
      },
    ],
  });
const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });

describe('routes that need a project token', () => {
  test.each(named(withToken))(
    '%s: without a token, or with one of nobody: 401; with one: 200',
    async (_path, route) => {
      expect(await send(route, { body: '{"batch":[{"event":"asked","distinct_id":"d"}]}' })).toBe(401);
      for (const apiKey of ['phc_nobody', '', 'x'.repeat(1000), 'phx_personal'])
        expect([apiKey, await send(route, { body: event(apiKey), headers: bearer(apiKey) })]).toEqual([apiKey, 401]);
      for (const slash of [false, true])
        expect(await send(route, { body: event(token), headers: bearer(token), slash })).toBe(200);
    },
  );

  test.each(named(withToken))('%s: bodies that are no events are refused', async (_path, route) => {
    for (const body of ['{', '5', '"x"', 'null', '\u0000', `${'['.repeat(20_000)}`]) {
      const status = await send(route, { body, headers: bearer(token) });
      expect([body.slice(0, 9), [400, 401].includes(status)]).toEqual([body.slice(0, 9), true]);
    }
  });
});

describe('routes for everybody', () => {
  test.each(named(open))('%s: 200 without a token, whatever is sent', async (_path, route) => {
    for (const slash of [false, true])
      expect(await send(route, { method: 'GET', slash, query: '?config=true&x=%00' })).toBe(200);
    const bodies = route.methods.includes('POST') ? ['', '{', '5', '{"token":5}', event('phc_nobody')] : [];
    for (const body of bodies) expect([body, await send(route, { body })]).toEqual([body, 200]);
  });
});

test.each(named(routes))('%s: a method that it has not is 405', async (_path, route) => {
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect([method, await send(route, { method })]).toEqual([method, 405]);
});
