// Requests as SDKs of other languages send them, recorded on the wire: versions, headers, keys and forms as they came.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventOf, startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';

let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture();
});
afterAll(() => capture.close());

type Fields = Record<string, unknown>;

interface Sdk {
  name: string;
  path: string;
  headers: Record<string, string>;
  gzip: boolean;
  /** Puts the events into a body; `sentAt` for those that say when they send. */
  body: (events: Fields[]) => unknown;
  /** One event as the SDK writes it. */
  event: (name: string, distinctId: string, properties: Fields) => Fields;
  /** The time of `event`, as it must be stored to the microsecond when the clocks agree; null: only about now. */
  storedTimestamp: string | null;
}

const uuid4 = '6f0f8a52-39e1-4c4b-9d0e-7a64c8f1b3d2';
const uuid7 = '01a1fdc3-5780-7d21-9b6a-2f1e0c5d4b3a';
const now = (): string => new Date().toISOString();

const sdks: Sdk[] = [
  {
    name: 'posthog-python 7.91.1',
    path: '/batch/',
    headers: { 'content-type': 'application/json', 'user-agent': 'posthog-python/7.91.1' },
    gzip: false,
    body: (batch) => ({ api_key: token, batch, sent_at: now().replace('Z', '123+00:00'), historical_migration: false }),
    event: (event, id, properties) => ({
      event,
      properties: { ...properties, $lib: 'posthog-python', $lib_version: '7.91.1' },
      distinct_id: id,
      timestamp: now().replace('Z', '456+00:00'),
      uuid: uuid4,
    }),
    storedTimestamp: null,
  },
  {
    name: 'posthog-js 1.449.2',
    path: '/e/',
    headers: { 'content-type': 'text/plain', origin: 'https://shop.example' },
    gzip: true,
    body: (batch) => ({ api_key: token, batch, sent_at: now() }),
    event: (event, id, properties) => ({
      uuid: uuid7,
      event,
      properties: { ...properties, token, distinct_id: id, $lib: 'web', $insert_id: 'abc', $time: 1795256430.123 },
      timestamp: now(),
      $set: { $current_url: 'https://shop.example' },
      $set_once: { $initial_referrer: null, utm_source: null },
    }),
    storedTimestamp: null,
  },
  {
    name: 'posthog-js-lite 4.12.1',
    path: '/batch/',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'user-agent': 'node' },
    gzip: true,
    body: (batch) => ({ api_key: token, batch, sent_at: now() }),
    event: (event, id, properties) => ({
      uuid: uuid7,
      event,
      distinct_id: id,
      properties: { ...properties, $insert_id: 'abc', $session_id: uuid7, $lib: 'js' },
      timestamp: now(),
    }),
    storedTimestamp: null,
  },
  {
    name: 'posthog-go 1.5.2',
    path: '/batch/',
    headers: { 'content-type': 'application/json', 'user-agent': 'posthog-go/1.5.2' },
    gzip: false,
    body: (batch) => ({ api_key: token, batch }),
    event: (event, id, properties) => ({
      type: 'capture',
      library: 'posthog-go',
      library_version: '1.5.2',
      send_feature_flags: false,
      uuid: '',
      timestamp: '2026-11-20T10:20:45.41169089Z',
      event,
      distinct_id: id,
      properties: { ...properties, $lib: 'posthog-go' },
    }),
    storedTimestamp: '2026-11-20T10:20:45.411690Z',
  },
  {
    name: 'posthog-go as of 1.23, gzip by header and query',
    path: '/batch/?compression=gzip',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'user-agent': 'posthog-go/1.23.0' },
    gzip: true,
    body: (batch) => ({ api_key: token, batch, historical_migration: false }),
    event: (event, id, properties) => ({
      type: 'capture',
      uuid: uuid4,
      timestamp: '2026-11-20T10:20:45.4Z',
      event,
      distinct_id: id,
      properties,
    }),
    storedTimestamp: '2026-11-20T10:20:45.400000Z',
  },
  {
    name: 'posthog-rs 0.30.0',
    path: '/batch/',
    headers: { 'content-type': 'application/json', 'user-agent': 'posthog-rs/0.30.0' },
    gzip: false,
    body: (batch) => ({
      api_key: token,
      historical_migration: false,
      sent_at: now().replace('Z', '979349+00:00'),
      batch,
    }),
    event: (event, id, properties) => ({
      uuid: uuid7,
      event,
      distinct_id: id,
      properties: {
        ...properties,
        $lib: 'posthog-rs',
        $lib_version__major: 0,
        $lib_version__minor: 30,
        $lib_version__patch: 0,
      },
      timestamp: now().replace('Z', '461074Z'),
    }),
    storedTimestamp: null,
  },
  {
    name: 'posthog-server 2.3.3 (Java)',
    path: '/batch',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      'user-agent': 'posthog-server/2.3.3',
    },
    gzip: true,
    body: (batch) => ({ api_key: token, batch, sent_at: now() }),
    event: (event, id, properties) => ({
      event,
      distinct_id: id,
      properties: { ...properties, $lib: 'posthog-server' },
      timestamp: now(),
      uuid: uuid7,
    }),
    storedTimestamp: null,
  },
  {
    name: 'posthog-ruby 3.23.2',
    path: '/batch/',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'user-agent': 'posthog-ruby/3.23.2' },
    gzip: true,
    body: (batch) => ({ api_key: token, batch }),
    event: (event, id, properties) => ({
      type: 'capture',
      event,
      distinct_id: id,
      properties: { ...properties, $lib: 'posthog-ruby' },
      timestamp: '2026-11-20T10:20:45.123Z',
      uuid: uuid4,
    }),
    storedTimestamp: '2026-11-20T10:20:45.123000Z',
  },
  {
    name: 'posthog-php',
    path: '/batch/',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'user-agent': 'posthog-php/3.0.0' },
    gzip: true,
    body: (batch) => ({ api_key: token, batch }),
    event: (event, id, properties) => ({
      library: 'posthog-php',
      library_version: '3.0.0',
      library_consumer: 'LibCurl',
      type: 'capture',
      event,
      distinct_id: id,
      properties,
      timestamp: '2026-11-20T10:20:45+01:00',
      message_id: null,
    }),
    storedTimestamp: '2026-11-20T09:20:45.000000Z',
  },
  {
    name: 'posthog-ios',
    path: '/batch',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      'user-agent': 'posthog-ios/3.30.0',
    },
    gzip: true,
    body: (batch) => ({ api_key: token, batch, sent_at: now() }),
    event: (event, id, properties) => ({
      uuid: uuid7.toUpperCase(),
      event,
      distinct_id: id,
      properties: { ...properties, $session_id: uuid7.toUpperCase() },
      timestamp: now(),
    }),
    storedTimestamp: null,
  },
];

async function send(sdk: Sdk, events: Fields[], headers: Record<string, string> = {}): Promise<void> {
  const text = JSON.stringify(sdk.body(events));
  const response = await capture.post(sdk.path, sdk.gzip ? gzipSync(text) : text, { ...sdk.headers, ...headers });
  expect([response.status, await response.json()]).toEqual([200, { status: 'Ok' }]);
}

describe.each(sdks.map((sdk) => [sdk.name, sdk] as const))('%s', (name, sdk) => {
  const id = (what: string): string => `${name} ${what}`;

  test('an event arrives with its own uuid, time and properties', async () => {
    const event = sdk.event('bought', id('bought'), { price: 9.99, list: [1, null, '👍'] });
    await send(sdk, [event]);
    const stored = await eventOf(capture, id('bought'));
    expect(stored).toMatchObject({
      event: 'bought',
      token,
      projectId: 7,
      properties: { price: 9.99, list: [1, null, '👍'] },
    });
    const { uuid } = event;
    expect(stored.uuid).toEqual(
      typeof uuid === 'string' && uuid !== '' ? uuid.toLowerCase() : expect.stringMatching(/^[0-9a-f-]{36}$/),
    );
    if (sdk.storedTimestamp !== null) expect(stored.timestamp).toBe(sdk.storedTimestamp);
    else expect(Math.abs(Date.parse(stored.timestamp) - Date.now())).toBeLessThan(10_000);
  });

  test('strict mode has nothing to say about it', async () => {
    const sending = send(sdk, [sdk.event('strict', id('strict'), {})], { 'x-capture-strict': '1' });
    await expect(sending).resolves.toBeUndefined();
  });

  test('a batch that is sent again after a 503 is the same batch', async () => {
    const body = [sdk.event('again', id('again'), { n: 1 })];
    await send(sdk, body);
    await send(sdk, body);
    const uuids = (await capture.events(0))
      .filter(({ distinctId }) => distinctId === id('again'))
      .map(({ uuid }) => uuid);
    expect([uuids.length, new Set(uuids).size]).toEqual([2, 1]);
  });
});

describe('special events (contract/clients D)', () => {
  const batch = (...events: Fields[]): Promise<Response> => capture.post('/batch/', { api_key: token, batch: events });

  test.each<[string, Fields, string]>([
    [
      'python, node, ruby: at the top and in the properties',
      { event: '$create_alias', distinct_id: 'alias both', properties: { distinct_id: 'alias both', alias: 'x' } },
      'alias both',
    ],
    [
      'go, js: in the properties only',
      {
        type: 'alias',
        event: '$create_alias',
        properties: { distinct_id: 'alias below', alias: 'x' },
        timestamp: '2026-11-20T10:20:45.1Z',
      },
      'alias below',
    ],
    [
      'php: null at the top',
      { event: '$create_alias', distinct_id: null, properties: { distinct_id: 'alias null', alias: 'x' } },
      'alias null',
    ],
    [
      'java: at the top only',
      { event: '$create_alias', distinct_id: 'alias top', properties: { alias: 'x' } },
      'alias top',
    ],
  ])('alias of %s', async (_name, event, distinctId) => {
    expect((await batch(event)).status).toBe(200);
    expect(await eventOf(capture, distinctId)).toMatchObject({ event: '$create_alias', properties: { alias: 'x' } });
  });

  test.each<[string, Fields, Fields]>([
    [
      'js: at the top',
      {
        event: '$identify',
        properties: { distinct_id: 'identify js', $anon_distinct_id: 'a', token },
        $set: { plan: 'pro' },
        $set_once: { first: null },
      },
      { set: { plan: 'pro' }, setOnce: { first: null } },
    ],
    [
      'node, java: in the properties',
      {
        event: '$identify',
        distinct_id: 'identify node',
        properties: { $set: { plan: 'pro' }, $anon_distinct_id: 'a' },
      },
      { properties: { $set: { plan: 'pro' }, $anon_distinct_id: 'a' } },
    ],
    [
      'ruby: at the top, and spread in the properties',
      {
        type: 'identify',
        event: '$identify',
        distinct_id: 'identify ruby',
        uuid: uuid4,
        timestamp: '2026-11-20T10:20:45.123Z',
        $set: { plan: 'pro' },
        properties: { plan: 'pro', $lib: 'posthog-ruby' },
      },
      { set: { plan: 'pro' }, properties: { plan: 'pro', $lib: 'posthog-ruby' } },
    ],
    [
      'go: at the top, without uuid',
      {
        type: 'identify',
        event: '$identify',
        distinct_id: 'identify go',
        timestamp: '2026-11-20T10:20:45.41169089Z',
        $set: { plan: 'pro' },
      },
      { set: { plan: 'pro' }, properties: {} },
    ],
  ])('identify of %s', async (_name, event, expected) => {
    expect((await batch(event)).status).toBe(200);
    const { distinct_id: inProperties } = (event['properties'] ?? {}) as Fields;
    expect(await eventOf(capture, String(event['distinct_id'] ?? inProperties))).toMatchObject({
      event: '$identify',
      ...expected,
    });
  });

  test.each([
    ['$company_acme', { $group_type: 'company', $group_key: 'acme' }],
    ['group node', { $group_type: 'company', $group_key: 5, $group_set: { size: 3 } }],
  ])('group of %s', async (distinctId, properties) => {
    expect((await batch({ event: '$groupidentify', distinct_id: distinctId, properties })).status).toBe(200);
    expect(await eventOf(capture, distinctId)).toMatchObject({ event: '$groupidentify', properties });
  });

  test('the call of flags: values of all kinds', async () => {
    for (const value of [null, false, '']) {
      await batch({
        event: '$feature_flag_called',
        distinct_id: `flag ${String(value)}`,
        properties: { $feature_flag: 'f', $feature_flag_response: value, $feature_flag_error: 'flag_missing' },
      });
      expect((await eventOf(capture, `flag ${String(value)}`)).properties).toMatchObject({
        $feature_flag_response: value,
      });
    }
  });

  test('python AI events have a lane of their own', async () => {
    const event = {
      event: '$ai_generation',
      distinct_id: 'ai',
      properties: { $ai_input: [{ role: 'user', content: 'hi' }] },
      timestamp: now(),
      uuid: uuid4,
    };
    expect((await capture.post('/i/v0/ai/batch/', { api_key: token, batch: [event], sent_at: now() })).status).toBe(
      200,
    );
    expect(await eventOf(capture, 'ai')).toMatchObject({ event: '$ai_generation' });
  });
});
