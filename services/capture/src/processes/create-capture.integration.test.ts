import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@millrace/engines/ports.ts';
import { ConfigError } from '@millrace/runtime/config.ts';
import { startedMessage } from '@millrace/runtime/run-process.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { readCaptureConfig } from '../config.ts';
import { readLane } from '../test/capture-under-test.ts';
import type { WorkerArguments } from '../test/capture-worker.ts';

const children: ChildProcess[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // Workers see that their first process is gone, and write until then.
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function start(processes: number) {
  const dir = await mkdtemp(join(tmpdir(), 'millrace-workers-'));
  folders.push(dir);
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawnCapture(dir, new URL(url).port, processes);
  for await (const [message] of on(child, 'message', { close: ['exit'] })) if (message === startedMessage) break;
  let sent = 0;
  /** Uuids that were answered with 200. */
  const acknowledged: string[] = [];
  return {
    child,
    url,
    acknowledged,
    /** Each request over a connection of its own, so that workers take turns. */
    send: async (): Promise<number> => {
      const uuid = `0190aaaa-0000-7000-8000-${String(++sent).padStart(12, '0')}`;
      const body = JSON.stringify({ api_key: 'phc_x', uuid, event: 'click', distinct_id: `d${sent}` });
      const { status } = await fetch(`${url}/i/v0/e/`, { method: 'POST', body, headers: { connection: 'close' } });
      if (status === 200) acknowledged.push(uuid);
      return status;
    },
    workers: async () => (await readdir(dir)).map(Number),
    /** What all logs hold. */
    stored: async (): Promise<string[]> => {
      const logs = await Promise.all((await readdir(dir)).map((pid) => readLane(join(dir, pid), 'main', 0)));
      return logs.flat().map(({ head }) => (JSON.parse(head.toString()) as { uuid: string }).uuid);
    },
  };
}

function spawnCapture(dir: string, port: string, processes: number): ChildProcess {
  const script = join(import.meta.dirname, '../test/capture-worker.ts');
  const given: WorkerArguments = [dir, port, String(processes)];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...given], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  children.push(child);
  return child;
}

const requestsOf = async (url: string): Promise<number> => Number(/capture_requests_total\{status="200".*\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0);

describe('several capture processes on one port', () => {
  test('all take part, and any of them answers for all when it is asked for metrics', async () => {
    const { url, send, workers, stored } = await start(2);
    for (let count = 0; count < 20; count++) expect(await send()).toBe(200);
    expect(await workers()).toHaveLength(2);
    expect([await requestsOf(url), await requestsOf(url), await requestsOf(url)]).toEqual([20, 20, 20]);
    expect((await fetch(`${url}/_readiness`)).status).toBe(200);
    expect(await stored()).toHaveLength(20);
  });

  test('one that is killed is replaced, the others go on, and nothing acknowledged is lost', async () => {
    const { url, send, workers, stored, acknowledged } = await start(2);
    for (let count = 0; count < 10; count++) await send();
    const [victim] = await workers();
    process.kill(victim ?? 0, 'SIGKILL');
    await eventually(async () => expect(await workers()).toHaveLength(3));
    await eventually(async () => expect((await fetch(`${url}/_readiness`, { headers: { connection: 'close' } })).status).toBe(200));
    for (let count = 0; count < 10; count++) expect(await send()).toBe(200);
    expect(new Set(await stored())).toEqual(new Set(acknowledged));
  });

  test('SIGTERM under load: all end in good order within ten seconds; what was acknowledged is stored', async () => {
    const { child, send, stored, acknowledged } = await start(3);
    let stopping = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!stopping) await send().catch(() => (stopping = true));
    });
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(200));
    const since = performance.now();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    stopping = true;
    await Promise.all(clients);
    expect([code, performance.now() - since < 9_500]).toEqual([0, true]);
    const kept = new Set(await stored());
    expect(acknowledged.filter((uuid) => !kept.has(uuid))).toEqual([]);
  });

  test('when the first process is killed, its workers end too', async () => {
    const { child, workers } = await start(2);
    const pids = await workers();
    child.kill('SIGKILL');
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
  });

  test('a worker that cannot start ends them all, with a fault', async () => {
    const child = spawnCapture('nowhere', '0', 2);
    expect((await once(child, 'exit'))[0]).toBe(1);
  });
});

test('on a log in a folder there is one process, and the error says why', () => {
  const environment = { DATABASE_URL: 'postgres://a@b/c', EVENT_LOG_DIR: 'x', CAPTURE_PROCESSES: '2' };
  expect(() => readCaptureConfig(environment)).toThrow(ConfigError);
  expect(() => readCaptureConfig(environment)).toThrow('CAPTURE_PROCESSES must be 1 unless KAFKA_BROKERS is set');
  expect(readCaptureConfig({ ...environment, KAFKA_BROKERS: 'k:9092' }).processes).toBe(2);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
