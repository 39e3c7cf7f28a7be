import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { eventOf, startProcesses } from './capture-processes.ts';

/** How a request ended, as its client saw it. */
interface Ending {
  uuid: string;
  /** 0: no complete answer. */
  status: number;
  /** True when a part of a response came. */
  began: boolean;
  /** Why the connection ended other than by being closed in good order. */
  error: string | null;
}

function requestText(body: string, more = ''): string {
  return `POST /i/v0/e/ HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The response, when it is whole. */
function statusIn(response: string): number {
  const end = response.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(response)?.[1] ?? NaN);
  return end >= 0 && response.length >= end + 4 + length ? Number(response.slice(9, 12)) : 0;
}

/** One request over a connection of its own; resolves when the connection has ended. */
export async function requestOver(socket: Socket, number: number): Promise<Ending> {
  const { uuid, body } = eventOf(number);
  let reply = '';
  let error: string | null = null;
  socket.on('data', (data: Buffer) => (reply += data.toString()));
  socket.on('error', (thrown: NodeJS.ErrnoException) => (error = thrown.code ?? thrown.message));
  socket.write(requestText(body, 'Connection: close\r\n'));
  await new Promise((resolve) => socket.on('close', resolve));
  return { uuid, status: statusIn(reply), began: reply !== '', error };
}

/** Events that were answered with 200 and are not stored. */
export const isIn = (endings: readonly Ending[], uuids: readonly string[]): string[] =>
  endings.filter(({ status, uuid }) => status === 200 && !uuids.includes(uuid)).map(({ uuid }) => uuid);

/** Tests a stop during traffic, for a number of processes and a delay of the stop. */
export function describeStops(cases: readonly (readonly [processes: number, stopDelayMs: number])[]): void {
  describe.each(cases)('SIGTERM under load, processes: %i, delay of the stop: %i ms', (processes, stopDelayMs) => {
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
}
