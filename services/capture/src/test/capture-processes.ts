// Capture as a process of its own, or as several, with embedded logs in a folder that is removed again.
import { spawn, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@millrace/engines/ports.ts';
import { startedMessage } from '@millrace/runtime/process/run-process.ts';
import { compileCache } from '@millrace/testkit/config.ts';
import { readLane } from './capture-under-test.ts';
import type { WorkerArguments } from './capture-worker.ts';

const children: ChildProcess[] = [];
const folders: string[] = [];

/** Kills what was started and removes its logs. */
export async function endProcesses(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  // Workers see that their first process is gone, and write until then.
  for (const folder of folders.splice(0))
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** The body of an event whose uuid ends with this number. */
export function eventOf(number: number): { uuid: string; body: string } {
  const uuid = `0190aaaa-0000-7000-8000-${String(number).padStart(12, '0')}`;
  return { uuid, body: JSON.stringify({ api_key: 'phc_x', uuid, event: 'click', distinct_id: `d${number}` }) };
}

/** Resolves when it listens. */
export async function startProcesses(processes: number, stopDelayMs = 300) {
  const dir = await mkdtemp(join(tmpdir(), 'millrace-workers-'));
  folders.push(dir);
  const port = await freePort();
  const operationsPort = await freePort();
  const child = spawnCapture(dir, String(port), processes, stopDelayMs, String(operationsPort));
  for await (const [message] of on(child, 'message', { close: ['exit'] })) if (message === startedMessage) break;
  return {
    child,
    port,
    url: `http://127.0.0.1:${port}`,
    operationsUrl: `http://127.0.0.1:${operationsPort}`,
    /** Process ids of all that ever served. */
    workers: async () => (await readdir(dir)).map(Number),
    /** The uuids of what all logs hold. */
    stored: async (): Promise<string[]> => {
      const logs = await Promise.all((await readdir(dir)).map((pid) => readLane(join(dir, pid), 'main', 0)));
      return logs.flat().map(({ head }) => (JSON.parse(head.toString()) as { uuid: string }).uuid);
    },
  };
}

export function spawnCapture(
  dir: string,
  port: string,
  processes: number,
  stopDelayMs = 300,
  operationsPort = '0',
): ChildProcess {
  const script = join(import.meta.dirname, 'capture-worker.ts');
  const given: WorkerArguments = [dir, port, String(processes), String(stopDelayMs), operationsPort];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...given], {
    env: compileCache(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  children.push(child);
  return child;
}

/** Started processes that are sent events, one after the other. */
export async function startAndSend(processes: number) {
  const capture = await startProcesses(processes);
  let sent = 0;
  /** Uuids that were answered with 200. */
  const acknowledged: string[] = [];
  return {
    ...capture,
    acknowledged,
    /** Each request over a connection of its own, so that workers take turns. */
    send: async (): Promise<number> => {
      const { uuid, body } = eventOf(++sent);
      const { status } = await fetch(`${capture.url}/i/v0/e/`, {
        method: 'POST',
        body,
        headers: { connection: 'close' },
      });
      if (status === 200) acknowledged.push(uuid);
      return status;
    },
  };
}
