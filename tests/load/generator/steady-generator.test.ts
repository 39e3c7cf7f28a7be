import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startChild } from '../child.ts';
import type { SteadyOrder, SteadyResult } from './steady-order.ts';

let server: Server;
/** Requests with reply 200, and all that arrived. */
let [accepted, arrived]: [string[], number] = [[], 0];
/** Says what becomes of a request, by its number. */
let fate: (number: number) => 'accept' | 'refuse' | 'cut';

beforeEach(async () => {
  [accepted, arrived] = [[], 0];
  server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const does = fate(arrived++);
      if (does === 'cut') return request.socket.destroy();
      if (does === 'accept')
        accepted.push(
          ...(JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as { batch: { uuid: string }[] }).batch.map(
            ({ uuid }) => uuid,
          ),
        );
      return response.writeHead(does === 'accept' ? 200 : 503, { 'content-length': '2' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function send(schedule: SteadyOrder['schedule']): Promise<SteadyResult> {
  const generator = startChild('generator/steady-generator.ts');
  try {
    const { port } = server.address() as AddressInfo;
    generator.post({ port, token: 'phc_token', path: '/batch/', eventsPerRequest: 10, persons: 100, schedule });
    return await generator.result<SteadyResult>();
  } finally {
    await generator.stop();
  }
}

test('every event is acknowledged once, in time and under the uuid of its place', async () => {
  fate = () => 'accept';
  const { latenciesMs, retries, seconds, uuidMark } = await send({ requestsPerSecond: 200, seconds: 1 });
  expect([accepted.length, new Set(accepted).size, retries, latenciesMs.length]).toEqual([2_000, 2_000, 0, 200]);
  const places = accepted.map((uuid) => (uuid.startsWith(uuidMark) ? Number.parseInt(uuid.slice(-12), 16) : -1));
  expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: 2_000 }, (_, place) => place));
  expect(seconds).toBeGreaterThan(0.99);
});

test('a refused or cut request is sent again until it is acknowledged, and its time keeps counting', async () => {
  fate = (number) => (number < 20 ? 'refuse' : number < 30 ? 'cut' : 'accept');
  const { latenciesMs, retries } = await send({ requestsPerSecond: 200, seconds: 0.5 });
  expect([accepted.length, new Set(accepted).size, retries]).toEqual([1_000, 1_000, 30]);
  expect(latenciesMs.filter((ms) => ms >= 100).length).toBeGreaterThanOrEqual(20);
});
