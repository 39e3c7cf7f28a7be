import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@millrace/engines/ports.ts';
import { partitionsPreset } from '@millrace/event-log/segments/files/meta.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { isRunning } from '@millrace/runtime/testing/is-running.ts';
import { startConsumerProcess, type ConsumerProcess } from '../test/consumer-process.ts';
import { createHarness, type Harness } from '../test/harness.ts';

let harness: Harness;
let running: ConsumerProcess[] = [];
let sent = 0;

beforeAll(async () => {
  harness = await createHarness();
}, 60_000);
afterEach(async () => {
  for (const each of running) {
    // A stopped process does not get the signal of an end in good order.
    for (const pid of each.workers()) signalIfThere(pid, 'SIGKILL');
    each.signal('SIGKILL');
    await each.exited;
  }
  running = [];
});
afterAll(() => harness.close(), 30_000);

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function start(processes: number, settings: Record<string, string> = {}) {
  const port = await freePort();
  const consumer = startConsumerProcess(
    { ...harness.config, operations: { host: '127.0.0.1', port } },
    { CONSUMER_PROCESSES: String(processes), ...settings },
  );
  running.push(consumer);
  await consumer.started;
  const get = async (path: string): Promise<{ status: number; text: string }> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    return { status: reply.status, text: await reply.text() };
  };
  const isReady = async (): Promise<void> =>
    expect(await get('/_readiness')).toEqual({ status: 200, text: '{"status":"ready"}' });
  await eventually(isReady, { deadlineMs: 10_000 });
  return { consumer, get, isReady };
}

async function send(count: number): Promise<void> {
  await harness.send(Array.from({ length: count }, (_, index) => ({ distinctId: `p${index}` })));
  sent += count;
}

const allStored = (): Promise<void> =>
  eventually(async () => expect(await harness.counts()).toEqual({ rows: sent, uuids: sent }), { deadlineMs: 20_000 });

const figure = (text: string, name: string): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes('lane="main"'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

describe('several consumer processes', () => {
  test('all take part, one port answers for all, and they end in good order', async () => {
    const { consumer, get } = await start(2);
    expect(consumer.workers()).toHaveLength(2);
    await send(400);
    await allStored();
    // A batch is counted just after its rows can be seen.
    await eventually(async () =>
      expect(figure((await get('/metrics')).text, 'millrace_consumer_rows_total')).toBe(400),
    );
    const { text } = await get('/metrics');
    expect(figure(text, 'millrace_consumer_streams')).toBe(partitionsPreset);
    expect(figure(text, 'millrace_consumer_oldest_unread_seconds')).toBeLessThan(10);
    expect(text).toContain('millrace_consumer_oldest_unread_seconds{');
    consumer.signal('SIGTERM');
    expect(await consumer.exited).toBe(0);
  }, 60_000);

  test('one that is killed (-9) is replaced, and the others do its work meanwhile', async () => {
    const { consumer, isReady } = await start(2);
    await send(100);
    const [victim] = consumer.workers();
    process.kill(victim ?? 0, 'SIGKILL');
    await send(100);
    await allStored();
    await eventually(() => expect(consumer.workers().filter((pid) => pid !== victim)).toHaveLength(2), {
      deadlineMs: 10_000,
    });
    await eventually(isReady, { deadlineMs: 15_000 });
    await send(100);
    await allStored();
  }, 60_000);

  test('a stuck process is reported as not ready, ended and replaced; its work continues before that', async () => {
    const { consumer, get, isReady } = await start(2, { CONSUMER_STUCK_MS: '9000' });
    const [victim] = consumer.workers();
    process.kill(victim ?? 0, 'SIGSTOP');
    await send(100);
    await allStored();
    await eventually(
      async () =>
        expect(await get('/_readiness')).toMatchObject({
          status: 503,
          text: expect.stringMatching(/"process [12]":"silent for \d+ s"/) as unknown,
        }),
      { deadlineMs: 10_000 },
    );
    await eventually(() => expect(consumer.workers().filter((pid) => pid !== victim)).toHaveLength(2), {
      deadlineMs: 15_000,
    });
    await eventually(isReady, { deadlineMs: 15_000 });
    await send(100);
    await allStored();
  }, 60_000);

  test('when the first process is killed, its workers end too', async () => {
    const { consumer } = await start(2);
    const pids = consumer.workers();
    consumer.signal('SIGKILL');
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]), { deadlineMs: 10_000 });
  }, 60_000);
});
