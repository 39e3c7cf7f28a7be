import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { rowsTwice } from '../support/rows-twice.ts';
import { countsOf, saveStoredEvents, type StoredEvent, storedEvents } from '../support/stored-events.ts';
import { startSystem, type System } from '../support/system.ts';
import { liteSdk, type NodeSdk, nodeSdks } from './node-sdks.ts';

// The promise to the users of SDKs for Node, old and new: whatever happens between SDK and capture, each event counts once.
let system: System;
let proxy: FaultyProxy;
let sdk: NodeSdk;

beforeAll(async () => {
  system = await startSystem();
  await saveStoredEvents(system.local());
}, 100_000);

afterAll(() => system?.destroy(), 30_000);

beforeEach(async () => {
  proxy = await startFaultyProxy(system.local().captureUrl);
});

afterEach(() => proxy.close());

const eventCount = 60;
const payload = (index: number) => ({
  list: [index, 'zwölf', null, 2 ** 40],
  text: `🦀 "quoted" \\ ${index}`,
  fraction: index / 8,
});
/** The reply comes after the SDK has given up waiting, and sent the same once more. */
const lateMs = 1_500;

const ann = (run: string): string => `ann of ${run}`;

/** Everything that the SDK knows, sent while the proxy carries out its faults. */
async function sendAll(run: string): Promise<void> {
  await sdk.identify({ distinctId: ann(run), properties: { plan: 'pro' } });
  await sdk.alias({ distinctId: ann(run), alias: `anna of ${run}` });
  await sdk.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 5 }, distinctId: ann(run) });
  for (let index = 0; index < eventCount; index++) {
    await sdk.capture({
      distinctId: `user ${index % 7}`,
      event: 'bought',
      properties: { run, index, payload: payload(index) },
      groups: { company: 'acme' },
    });
  }
  await sdk.end();
}

const numberOf = ({ properties }: StoredEvent): number => Number(properties['index']);

async function expectAllOnce(run: string): Promise<void> {
  const bought = await eventually(
    async () => {
      const found = (await storedEvents(system.local(), run)).filter(({ event }) => event === 'bought');
      expect(found.map(numberOf).sort((a, b) => a - b)).toEqual(
        Array.from({ length: eventCount }, (_, index) => index),
      );
      expect(await countsOf(system.local(), ann(run))).toEqual([
        ['$create_alias', 1],
        ['$groupidentify', 1],
        ['$identify', 1],
      ]);
      return found;
    },
    { deadlineMs: 10_000 },
  );
  expect(await rowsTwice(system)).toEqual([]);
  for (const stored of bought) {
    const index = numberOf(stored);
    expect(stored).toMatchObject({
      distinctId: `user ${index % 7}`,
      count: 1,
      properties: { run, index, payload: payload(index), $groups: { company: 'acme' }, $lib: sdk.lib },
    });
  }
}

const manyFaults: Fault[] = [
  { status: 503, retryAfterS: 1 },
  { lose: 'reply' },
  { status: 429, retryAfterS: 1 },
  { lose: 'request' },
  { replyDelayMs: lateMs },
];

describe.each(nodeSdks)('$name', ({ name, path, open, encoding }) => {
  test('refusals, lost requests, lost and late replies: each event is there once, as it was sent', async () => {
    sdk = open(system.local().projectToken, proxy.url);
    proxy.hurt(...manyFaults);
    await sendAll(name);
    expect(proxy.ahead).toBe(0);
    await expectAllOnce(name);
    const passed = proxy.seen.filter(({ status }) => status === 200);
    expect(new Set(passed.map((request) => request.path))).toEqual(new Set([path]));
    expect(new Set(passed.map(({ headers }) => headers['content-encoding']))).toEqual(new Set([encoding]));
  }, 60_000);
});

test('posthog-js-lite, which knows one person only', async () => {
  const lite = liteSdk(system.local().projectToken, proxy.url);
  proxy.hurt(...manyFaults);
  lite.identify('lita', { plan: 'pro' });
  for (let index = 0; index < eventCount; index++)
    lite.capture('bought', { run: 'lite', index, payload: payload(index) });
  await lite.shutdown();
  expect(proxy.ahead).toBe(0);
  await eventually(
    async () => {
      const found = (await storedEvents(system.local(), 'lite')).sort((a, b) => numberOf(a) - numberOf(b));
      expect(
        found.map(({ distinctId, count, properties }) => [
          distinctId,
          count,
          properties['index'],
          properties['payload'],
        ]),
      ).toEqual(Array.from({ length: eventCount }, (_, index) => ['lita', 1, index, payload(index)]));
      expect(await countsOf(system.local(), 'lita')).toEqual([
        ['$identify', 1],
        ['bought', eventCount],
      ]);
    },
    { deadlineMs: 10_000 },
  );
}, 60_000);

describe('413', () => {
  test('of a batch: the newest SDK halves it, and nothing is lost or doubled', async () => {
    const newest = nodeSdks[0];
    if (newest === undefined) throw new Error('there is no SDK');
    sdk = newest.open(system.local().projectToken, proxy.url);
    proxy.hurt({ status: 413 }, { status: 413 });
    await sendAll('413');
    expect(proxy.seen.slice(0, 3).map(({ status }) => status)).toEqual([413, 413, 200]);
    await expectAllOnce('413');
  }, 60_000);
});
