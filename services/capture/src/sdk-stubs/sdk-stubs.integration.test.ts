import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCapture, token, type CaptureUnderTest } from '../test/capture-under-test.ts';

const origin = 'https://shop.example';
let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

const noFlags = { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false };
const config = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: false,
  analytics: { endpoint: '/i/v0/e/' },
  sessionRecording: false,
  surveys: false,
  elementsChainAsString: true,
};

async function expectJson(response: Response, expected: Record<string, unknown>): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>;
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('access-control-allow-origin'),
  ]).toEqual([200, 'application/json', origin]);
  expect(body).toMatchObject(expected);
  return body;
}

describe('other requests of SDKs (contract/capture 1.2)', () => {
  test('the configuration of browsers, to the last field: gzip is understood, and everything that loads more is off', async () => {
    expect(await (await fetch(`${capture.url}/array/${token}/config`)).json()).toEqual({
      supportedCompression: ['gzip', 'gzip-js'],
      hasFeatureFlags: false,
      analytics: { endpoint: '/i/v0/e/' },
      autocapture_opt_out: false,
      captureDeadClicks: false,
      capturePerformance: false,
      heatmaps: false,
      sessionRecording: false,
      surveys: false,
      siteApps: [],
      toolbarParams: {},
      isAuthenticated: false,
      toolbarVersion: 'toolbar',
      defaultIdentifiedOnly: true,
      elementsChainAsString: true,
      errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
      token,
    });
  });

  test.each<[string, Record<string, unknown>]>([
    [`/array/${token}/config`, { ...config, token }],
    ['/array/phc_any/config/?v=1', { ...config, token: 'phc_any' }],
    ['/api/surveys/?token=x', { surveys: [] }],
    ['/api/early_access_features/?token=x', { earlyAccessFeatures: [] }],
    ['/api/web_experiments/?token=x', { experiments: [] }],
    ['/api/product_tours/?token=x', { product_tours: [] }],
    ['/flags/definitions?token=x&send_cohorts', { flags: [], group_type_mapping: {}, cohorts: {} }],
    ['/api/feature_flag/local_evaluation/?token=x&send_cohorts', { flags: [], group_type_mapping: {}, cohorts: {} }],
    ['/decide/?v=3', { ...config, ...noFlags }],
  ])('GET %s', async (path, expected) => {
    await expectJson(
      await fetch(capture.url + path, { headers: { origin, authorization: 'Bearer phx_local_evaluation' } }),
      expected,
    );
    expect((await fetch(capture.url + path, { method: 'HEAD' })).status).toBe(200);
  });

  const request = { distinct_id: 'd', person_properties: { a: 1 }, groups: {} };
  test.each<[string, string, string | Buffer, Record<string, string>]>([
    ['node', '/flags/?v=2', JSON.stringify({ token, ...request }), { 'content-type': 'application/json' }],
    ['python', '/flags/?v=4', JSON.stringify({ api_key: token, ...request }), { 'content-type': 'application/json' }],
    ['java', '/flags/?v=2', gzipSync(JSON.stringify({ api_key: token, ...request })), { 'content-encoding': 'gzip' }],
    [
      'browsers',
      '/flags/?v=2&config=true',
      gzipSync(JSON.stringify({ token, ...request })),
      { 'content-type': 'text/plain' },
    ],
    [
      'browsers of old',
      '/flags?v=2',
      `data=${encodeURIComponent(Buffer.from(JSON.stringify({ token, ...request })).toString('base64'))}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['a body that is none', '/flags/?v=9', '{"token":', {}],
    ['no body', '/flags/', '', {}],
  ])('requests for flags of %s: there are none', async (_name, path, body, headers) => {
    const reply = await expectJson(
      await fetch(capture.url + path, { method: 'POST', body, headers: { origin, ...headers } }),
      { flags: {}, ...noFlags },
    );
    expect(reply['requestId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(reply['token']).toBe(path.includes('config=true') ? token : undefined);
    expect(reply['supportedCompression'] !== undefined).toBe(path.includes('config=true'));
  });

  test.each([1, 2, 3, 4])('decide v%i: configuration and no flags', async (version) => {
    const response = await capture.post(`/decide/?v=${version}`, { api_key: token, ...request }, { origin });
    await expectJson(response, { ...config, ...noFlags, token });
  });

  test('what cannot be a token is never echoed', async () => {
    expect((await fetch(`${capture.url}/array/phx_personal/config`)).status).toBe(404);
    const reply = await (await capture.post('/flags/?v=2&config=true', { token: 'phx_personal' })).text();
    expect(reply).not.toContain('phx_');
  });

  test('a request for flags is small: a larger one is 413', async () => {
    expect((await capture.post('/flags/?v=2', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await capture.post('/flags/?v=2', gzipSync(Buffer.alloc(5 * 1024 * 1024)))).status).toBe(413);
  });
});
