// A stop in the middle of traffic: whoever was let in is answered, in full, before the connection is closed.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { endProcesses, eventOf, startProcesses } from '../test/capture-processes.ts';

afterEach(endProcesses);

/** How a request ended, as its client saw it. */
interface Ending {
  uuid: string;
  /** 0: no complete answer. */
  status: number;
  /** Whether any of an answer came. */
  began: boolean;
  /** Why the connection ended other than by being closed in good order. */
  error: string | null;
}

function requestText(body: string, more = ''): string {
  return `POST /i/v0/e/ HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** What came back, if it is a whole answer. */
function statusIn(answer: string): number {
  const end = answer.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? NaN);
  return end >= 0 && answer.length >= end + 4 + length ? Number(answer.slice(9, 12)) : 0;
}

/** One request over a connection of its own; resolves when the connection has ended. */
async function requestOver(socket: Socket, number: number): Promise<Ending> {
  const { uuid, body } = eventOf(number);
  let answer = '';
  let error: string | null = null;
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.on('error', (thrown: NodeJS.ErrnoException) => (error = thrown.code ?? thrown.message));
  socket.write(requestText(body, 'Connection: close\r\n'));
  await new Promise((resolve) => socket.on('close', resolve));
  return { uuid, status: statusIn(answer), began: answer !== '', error };
}

const isIn = (endings: readonly Ending[], uuids: readonly string[]): string[] =>
  endings.filter(({ status, uuid }) => status === 200 && !uuids.includes(uuid)).map(({ uuid }) => uuid);

describe.each([
  [1, 300],
  [1, 0],
  [3, 300],
  [3, 0],
])('SIGTERM under load, processes: %i, delay of the stop: %i ms', (processes, stopDelayMs) => {
  test('all end in good order within ten seconds; no answered request sees a reset, and what was answered with 200 is stored', async () => {
    const { child, port, stored } = await startProcesses(processes, stopDelayMs);
    const endings: Ending[] = [];
    let sent = 0;
    let refused = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!refused) {
        const socket = connect(port, '127.0.0.1');
        const isOpen = await once(socket, 'connect').then(
          () => true,
          () => false,
        );
        if (isOpen) endings.push(await requestOver(socket, ++sent));
        else refused = true;
      }
    });
    await eventually(() => expect(endings.length).toBeGreaterThan(200));
    const since = performance.now();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, performance.now() - since < 9_500]).toEqual([0, true]);
    await Promise.all(clients);
    expect(endings.filter(({ began, error, status }) => began && (error !== null || status === 0))).toEqual([]);
    expect(endings.filter(({ status }) => status !== 200 && status !== 503 && status !== 0)).toEqual([]);
    expect(isIn(endings, await stored())).toEqual([]);
  });
});

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
