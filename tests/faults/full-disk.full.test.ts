import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeOwnBroker } from '@millrace/event-log/kafka/testing/describe-kafka.ts';
import { type Broker, startBroker } from '../support/broker.ts';
import { eventually } from '../support/eventually.ts';
import { expectAllOnce, saveUuids } from '../support/exactly-once.ts';
import { describeSmallDisk, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { startSteadyLoad, type SteadyLoad } from '../support/steady-load.ts';
import { startSystem, type System } from '../support/system.ts';

// A full disk below the event log: nothing that was acknowledged is lost, clients hear "later", and room is all that it takes to go on.
let folder: string;
let disk: SmallDisk | undefined;
let system: System | undefined;
let broker: Broker | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-full-disk-'));
});

afterEach(async () => {
  await system?.stop();
  await broker?.end();
  disk?.remove();
  [system, broker, disk] = [undefined, undefined, undefined];
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const load = ({ local }: System): SteadyLoad =>
  startSteadyLoad({ captureUrl: local().captureUrl, token: local().projectToken, event: 'steady', perSecond: 20, retryMs: 1_000 });

async function comeIn(steady: SteadyLoad, count: number, deadlineMs: number): Promise<void> {
  const before = steady.acknowledged().length;
  await eventually(() => expect(steady.acknowledged().length).toBeGreaterThan(before + count), deadlineMs);
}

interface Refusal {
  status: number;
  retryAfter: string | null;
  code: unknown;
  tookMs: number;
}

/** What capture answers to an event that is a little larger than what may be left in a page of the disk. */
async function ask({ local }: System): Promise<Refusal> {
  const { captureUrl, projectToken } = local();
  const since = Date.now();
  const body = JSON.stringify({ api_key: projectToken, event: 'asked', distinct_id: 'd', properties: { text: 'x'.repeat(10_000) } });
  const reply = await fetch(`${captureUrl}/i/v0/e/`, { method: 'POST', body });
  const { code } = (await reply.json()) as { code?: unknown };
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), code, tookMs: Date.now() - since };
}

const later = { status: 503, retryAfter: '1', code: expect.stringMatching(/^(log_unavailable|outcome_unknown)$/) };

async function expectRefuses(refusing: System, times: number): Promise<void> {
  await eventually(async () => expect(await ask(refusing)).toMatchObject(later), 20_000);
  for (let time = 0; time < times; time++) {
    const { tookMs, ...refusal } = await ask(refusing);
    expect(refusal).toEqual(later);
    expect(tookMs).toBeLessThan(1_500);
  }
  await eventually(async () => expect((await fetch(`${refusing.local().captureUrl}/_readiness`)).status).toBe(503), 10_000);
  expect((await fetch(`${refusing.local().captureUrl}/_liveness`)).status).toBe(200);
}

describeSmallDisk('the embedded log', () => {
  test('its disk is full, twice: capture says so, nothing dies, and it goes on by itself when there is room', async () => {
    const small = (disk = mountSmallDisk(join(folder, 'data', 'event-log'), 64));
    system = await startSystem(join(folder, 'data'));
    await saveUuids(system.local());
    const { processes } = system.local();
    const steady = load(system);
    for (let round = 0; round < 2; round++) {
      await comeIn(steady, 40, 20_000);
      small.fill();
      await expectRefuses(system, 5);
      small.makeRoom();
    }
    await comeIn(steady, 40, 20_000);
    await expectAllOnce(system.local, 'steady', await steady.finish(), 20_000);
    expect(system.local().processes).toEqual(processes);
  }, 180_000);
});

describeSmallDisk('Kafka', () => {
  describeOwnBroker('the disk of its broker', () => {
    test('is full, and the broker dies of it: capture says so, and with room and the broker everything goes on, each event once', async () => {
      const small = (disk = mountSmallDisk(join(folder, 'kafka'), 200));
      const dying = await startBroker(join(folder, 'kafka'));
      broker = dying;
      system = await startSystem(join(folder, 'data'), { args: ['--kafka', dying.address] });
      await saveUuids(system.local());
      const { processes } = system.local();
      const steady = load(system);
      await comeIn(steady, 40, 20_000);
      small.fill();
      await eventually(async () => expect(await ask(system as System)).toMatchObject(later), 30_000);
      await dying.gone();
      await expectRefuses(system, 5);
      small.makeRoom();
      await dying.startAgain();
      await comeIn(steady, 40, 60_000);
      await expectAllOnce(system.local, 'steady', await steady.finish(), 40_000);
      expect(system.local().processes).toEqual(processes);
    }, 240_000);
  });
});
