import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { describeOwnBroker } from '@millrace/event-log/kafka/testing/describe-kafka.ts';
import { type Proxy, startProxy } from '@millrace/event-log/kafka/testing/proxy.ts';
import { PostHog } from 'posthog-node';
import { type Broker, startBroker } from '../support/broker.ts';
import { eventually } from '../support/eventually.ts';
import { expectAllOnce, saveUuids } from '../support/exactly-once.ts';
import { type ProcessName, pidsOf } from '../support/launcher.ts';
import { residentMb } from '../support/processes.ts';
import { rowsTwice } from '../support/rows-twice.ts';
import { startSteadyLoad, type SteadyLoad } from '../support/steady-load.ts';
import { saveStoredEvents, storedEvents } from '../support/stored-events.ts';
import { startSystem, type System } from '../support/system.ts';

// At least once made exact, on Kafka as on the embedded log: whatever dies, hangs or is away, each acknowledged event is there once.
describeOwnBroker('the whole product', () => {
  let folder: string;
  let proxy: Proxy;
  let broker: Broker;
  let system: System;
  /** The same for each start: a second one finds what the first left. */
  const start = async (): Promise<void> => {
    const environment = { CAPTURE_PROCESSES: '2', KAFKA_SESSION_TIMEOUT_MS: '6000' };
    system = await startSystem(join(folder, 'data'), { args: ['--kafka', `127.0.0.1:${proxy.port}`], environment });
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-kafka-system-'));
    proxy = await startProxy();
    // Its clients reach it through the proxy alone, which can make it slow.
    broker = await startBroker(folder, { 'advertised.listeners': `PLAINTEXT://127.0.0.1:${proxy.port}` });
    proxy.target = Number(broker.address.split(':')[1]);
    await start();
    await saveUuids(system.local());
    await saveStoredEvents(system.local());
  }, 180_000);

  afterAll(async () => {
    await system?.stop();
    await broker?.destroy();
    await proxy?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  beforeEach(() => {
    proxy.replyDelayMs = 0;
  });

  // On a machine of two cores, a client that tries more often keeps what died from starting again.
  const load = (event: string, options: { perSecond?: number; retryMs?: number } = {}): SteadyLoad =>
    startSteadyLoad({ captureUrl: system.local().captureUrl, token: system.local().projectToken, event, perSecond: 50, retryMs: 500, ...options });

  const comeIn = async (load: SteadyLoad, count: number, deadlineMs = 10_000): Promise<void> => {
    const before = load.acknowledged().length;
    await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(before + count), deadlineMs);
  };

  async function expectOnce(event: string, acknowledged: readonly string[]): Promise<void> {
    await expectAllOnce(system.local, event, acknowledged, 40_000);
    expect(await rowsTwice(system)).toEqual([]);
  }

  test('several processes take events, and local.json names each', () => {
    const { capture, consumer } = system.local().processes;
    expect(capture).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    expect(consumer).toEqual(expect.any(Number));
  });

  test('1,000 events of posthog-node arrive exactly once, as they were sent', async () => {
    const { captureUrl, projectToken } = system.local();
    const sdk = new PostHog(projectToken, { host: captureUrl, flushAt: 100, flushInterval: 1_000 });
    for (let index = 0; index < 1_000; index++) {
      sdk.capture({ distinctId: `user ${index % 50}`, event: 'bought', properties: { run: 'thousand', index, deep: { list: [index, 'zwölf'] } } });
    }
    await sdk.shutdown(20_000);
    const found = await eventually(async () => {
      const stored = await storedEvents(system.local(), 'thousand');
      expect(stored).toHaveLength(1_000);
      return stored;
    }, 15_000);
    const sorted = found.map(({ count, distinctId, properties }) => [Number(properties['index']), count, distinctId, properties['deep']]).sort((a, b) => Number(a[0]) - Number(b[0]));
    expect(sorted).toEqual(Array.from({ length: 1_000 }, (_, index) => [index, 1, `user ${index % 50}`, { list: [index, 'zwölf'] }]));
  }, 60_000);

  test.each<[string, ProcessName, number]>([
    ['the first process of capture', 'capture', 0],
    ['one that takes events', 'capture', 1],
    ['the consumer', 'consumer', 0],
  ])('%s is killed (-9) while events flow: another takes its place, and nothing is lost or doubled', async (what, name, at) => {
    const steady = load(what);
    await comeIn(steady, 50);
    const victim = pidsOf(system.local(), name)[at] ?? 0;
    process.kill(victim, 'SIGKILL');
    await eventually(() => expect(pidsOf(system.local(), name)).not.toContain(victim), 20_000);
    await comeIn(steady, 100, 20_000);
    await expectOnce(what, await steady.finish());
  }, 120_000);

  test('the broker is killed (-9) and started again, twice: nothing is lost or doubled', async () => {
    const steady = load('broker killed');
    for (let round = 0; round < 2; round++) {
      await comeIn(steady, 100, 20_000);
      await broker.end();
      await broker.startAgain();
    }
    await comeIn(steady, 100, 30_000);
    await expectOnce('broker killed', await steady.finish());
  }, 180_000);

  test('the broker is away for a minute: capture says 503 at once, stays small and alive, and goes on by itself', async () => {
    const awayMs = 60_000;
    const { captureUrl, projectToken, processes } = system.local();
    const steady = load('broker away', { perSecond: 5, retryMs: 1_000 });
    await comeIn(steady, 20, 20_000);
    await broker.end();
    const since = Date.now();
    const refusals: { status: number; retryAfter: string | null; tookMs: number }[] = [];
    // The first few may wait for what was under way when it went.
    await eventually(async () => {
      const askedAt = Date.now();
      const body = JSON.stringify({ api_key: projectToken, event: 'asked while away', distinct_id: 'd' });
      const reply = await fetch(`${captureUrl}/i/v0/e/`, { method: 'POST', body });
      await reply.arrayBuffer();
      if (Date.now() - since > 10_000) refusals.push({ status: reply.status, retryAfter: reply.headers.get('retry-after'), tookMs: Date.now() - askedAt });
      expect(Date.now() - since).toBeGreaterThan(awayMs);
    }, awayMs + 20_000);
    expect(refusals.length).toBeGreaterThan(20);
    expect(refusals.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '1')).toEqual([]);
    expect(refusals.filter(({ tookMs }) => tookMs > 1_500)).toEqual([]);
    for (const pid of pidsOf(system.local(), 'capture')) expect(residentMb(pid)).toBeLessThan(250);
    await broker.startAgain();
    await comeIn(steady, 100, 40_000);
    await expectOnce('broker away', await steady.finish());
    expect(system.local().processes).toEqual(processes);
  }, 240_000);

  test('a slow broker is waited for: everything is acknowledged, later, and is there once', async () => {
    const steady = load('slow broker');
    await comeIn(steady, 50);
    proxy.replyDelayMs = 400;
    await comeIn(steady, 200, 40_000);
    proxy.replyDelayMs = 0;
    await comeIn(steady, 100, 20_000);
    await expectOnce('slow broker', await steady.finish());
  }, 120_000);

  test('stopped under load and started again, with the broker restarted between: it goes on where it was', async () => {
    const steady = load('restart');
    await comeIn(steady, 100);
    expect(await system.stop()).toMatchObject({ code: 0 });
    const acknowledged = [...steady.giveUp()];
    await broker.end('SIGTERM');
    await broker.startAgain();
    await start();
    await expectOnce('restart', acknowledged);
    const again = load('restart');
    await comeIn(again, 50);
    await expectOnce('restart', [...acknowledged, ...(await again.finish())]);
  }, 180_000);
});
