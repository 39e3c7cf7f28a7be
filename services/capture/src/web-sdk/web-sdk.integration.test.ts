import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCapture, token, type CaptureUnderTest } from '../test/capture-under-test.ts';

// The promise to web sites: the SDK and what it loads later come from the host that takes the events.
const packageFile = createRequire(import.meta.url).resolve('posthog-js/package.json');
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
const original = (name: string): string => readFileSync(join(dirname(packageFile), 'dist', name), 'utf8');

let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

const load = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(capture.url + path, { headers: { origin: 'https://shop.example', ...headers } });

describe('scripts', () => {
  test.each(['array.js', 'array.full.js', 'surveys.js', 'exception-autocapture.js', 'web-vitals.js'])(
    '%s is that of the package, compressed for who can read that',
    async (name) => {
      for (const encoding of ['gzip', 'identity']) {
        const response = await load(`/static/${name}`, { 'accept-encoding': encoding });
        expect([
          response.status,
          response.headers.get('content-type'),
          response.headers.get('content-encoding'),
          response.headers.get('vary'),
        ]).toEqual([200, 'text/javascript; charset=utf-8', encoding === 'gzip' ? 'gzip' : null, 'Accept-Encoding']);
        expect((await response.text()) === original(name)).toBe(true);
      }
    },
  );

  test('with its version it is cached for good, without it for minutes, and a client that has it gets 304', async () => {
    const plain = await load('/static/array.js');
    expect(plain.headers.get('cache-control')).toBe('public, max-age=300');
    for (const path of [`/static/array.js?v=${version}`, `/static/${version}/array.js`])
      expect((await load(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const tag = plain.headers.get('etag') ?? '';
    for (const known of [tag, `"other", W/${tag}`])
      expect((await load('/static/array.js', { 'if-none-match': known })).status).toBe(304);
    expect((await load('/static/array.js', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  // A shared cache stores the reply to one client, and gives it to pages of every origin: for a year, with `immutable`.
  test.each([`/static/${version}/array.js`, '/static/array.js', `/array/${token}/config.js`])(
    'a kept reply suits every client: %s',
    async (path) => {
      const headersFor = async (headers: Record<string, string>): Promise<Record<string, string>> => {
        const { date: _, ...rest } = Object.fromEntries((await fetch(capture.url + path, { headers })).headers);
        return rest;
      };
      const toNobody = await headersFor({});
      expect(toNobody).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Accept-Encoding' });
      expect(toNobody).not.toHaveProperty('access-control-allow-credentials');
      expect(await headersFor({ origin: 'https://shop.example', 'x-request-id': 'of one client' })).toEqual(toNobody);
    },
  );

  test.each([
    '/static/toolbar.js',
    '/static/1.0.0/array.js',
    '/static/package.json',
    '/static/array.js.map',
    '/static/..%2fpackage.json',
    `/static/${version}/..%2f..%2fpackage.json`,
  ])('nothing else of the package is served: %s', async (path) => {
    const response = await load(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
  });
});

describe('settings as a script', () => {
  test('they are those of /config, where the SDK looks for them', async () => {
    const window: Record<string, unknown> = {};
    runInNewContext(await (await load(`/array/${token}/config.js`)).text(), { window });
    expect(window).toEqual({
      _POSTHOG_REMOTE_CONFIG: {
        [token]: { config: await (await load(`/array/${token}/config`)).json(), siteApps: [] },
      },
    });
  });

  test('a token cannot become code, and what can be none is 404', async () => {
    const window: Record<string, unknown> = {};
    runInNewContext(await (await load(`/array/x'"];alert(1);/config.js`)).text(), { window });
    expect(Object.keys(window['_POSTHOG_REMOTE_CONFIG'] as object)).toHaveLength(1);
    expect((await load('/array/phx_personal/config.js')).status).toBe(404);
  });
});
