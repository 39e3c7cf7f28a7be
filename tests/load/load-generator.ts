// Sends events as fast as they are accepted, in a process of its own: one order at a time, over connections that stay open.
import { carryOutOrders } from './carry-out-orders.ts';
import type { LoadOrder, LoadResult } from './load-order.ts';
import { type Connection, openConnection } from './connection.ts';
import { renumber } from './payloads.ts';
import { type PreparedRequest, prepareRequest } from './prepared-request.ts';

/** Numbers of events never come again while this process lives. */
let nextNumber = 0;

carryOutOrders(carryOut);

async function carryOut(order: LoadOrder): Promise<LoadResult> {
  const lanes = await Promise.all(Array.from({ length: order.connections }, (_, index) => openLane(order, index)));
  let left = order.requests;
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(
    lanes.map(async ({ connection, templates }) => {
      for (let turn = 0; left > 0; turn++) {
        left--;
        const { head, body } = templates[turn % templates.length] as PreparedRequest;
        nextNumber = renumber(body, nextNumber);
        await connection.send(head, body.bytes);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(usedBefore);
  for (const { connection } of lanes) connection.close();
  return { begunAtMs: performance.timeOrigin + begun, seconds, cpuSeconds: (user + system) / 1e6 };
}

/** Bodies of one connection: enough different ones in all that persons and pages vary, few enough to stay in the processor's cache. */
const templatesOf = ({ persons, eventsPerRequest, connections }: LoadOrder): number => Math.max(2, Math.ceil(persons / eventsPerRequest / connections));

async function openLane(order: LoadOrder, lane: number): Promise<{ connection: Connection; templates: PreparedRequest[] }> {
  const count = templatesOf(order);
  const templates = Array.from({ length: count }, (_, index) => prepareRequest(order, order, (lane * count + index) * order.eventsPerRequest));
  return { connection: await openConnection(order.port), templates };
}
