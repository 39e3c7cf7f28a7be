// A stop in the middle of traffic: whoever was let in is answered, in full, before the connection is closed.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { endProcesses, startProcesses } from '../test/capture-processes.ts';
import { describeStops, isIn, requestOver } from '../test/stop-under-load.ts';

afterEach(endProcesses);

// One process, and time to stop: stop-under-load.alone.test.ts.
describeStops([[3, 0]]);

test('connections that are on their way to a worker when the stop begins are answered, also when no time is left for them', async () => {
  const { child, port, workers, stored } = await startProcesses(2, 0);
  const pids = await workers();
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  const sockets = await Promise.all(Array.from({ length: 20 }, () => opened(port)));
  const endings = sockets.map((socket, index) => requestOver(socket, index + 1));
  await eventually(async () => expect(await waitingConnections(port)).toBe(0));
  child.kill('SIGTERM');
  await eventually(async () => expect(await Promise.all(pids.map(hasSigtermPending))).toEqual([true, true]));
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  const all = await Promise.all(endings);
  expect(all.filter(({ status, error }) => status !== 200 || error !== null)).toEqual([]);
  expect(isIn(all, await stored())).toEqual([]);
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
});

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** How many connections the kernel holds for whoever listens on the port. */
async function waitingConnections(port: number): Promise<number> {
  const address = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((row) => row.trim().split(/\s+/));
  const listening = rows.find(([, local, , state]) => state === '0A' && local?.endsWith(address));
  return parseInt(listening?.[4]?.split(':')[1] ?? 'none', 16);
}

async function hasSigtermPending(pid: number): Promise<boolean> {
  const pending = /^ShdPnd:\s*([0-9a-f]+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  return (BigInt(`0x${pending}`) & (1n << 14n)) !== 0n;
}
