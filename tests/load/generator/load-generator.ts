// Sends events as fast as they are accepted, in a process of its own: one order at a time, over connections that stay open.
import { delay } from '@millrace/runtime/clock.ts';
import { carryOutOrders } from './carry-out-orders.ts';
import type { LoadOrder, LoadResult } from './load-order.ts';
import { type Connection, openConnection } from './connection.ts';
import { renumber } from './payloads.ts';
import { type PreparedRequest, prepareRequest } from './prepared-request.ts';

/** Pause that capture requires with its 503. */
const retryMs = 1_000;

/** Numbers of events never come again while this process lives. */
let nextNumber = 0;

carryOutOrders(carryOut);

async function carryOut(order: LoadOrder): Promise<LoadResult> {
  const lanes = await Promise.all(Array.from({ length: order.connections }, (_, index) => openLane(order, index)));
  let [left, retries] = [order.requests, 0];
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(
    lanes.map(async ({ connection, templates }) => {
      for (let turn = 0; left > 0; turn++) {
        left--;
        const { head, body } = templates[turn % templates.length] as PreparedRequest;
        nextNumber = renumber(body, nextNumber);
        await (order.resend === true
          ? sendUntilTaken(connection, head, body.bytes, () => retries++)
          : connection.send(head, body.bytes));
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(usedBefore);
  for (const { connection } of lanes) connection.close();
  return { begunAtMs: performance.timeOrigin + begun, seconds, cpuSeconds: (user + system) / 1e6, retries };
}

/** @throws when the connection broke */
async function sendUntilTaken(
  connection: Connection,
  head: Uint8Array,
  body: Uint8Array,
  refused: () => void,
): Promise<void> {
  for (;;) {
    try {
      return await connection.send(head, body);
    } catch (error) {
      if (!connection.isOpen()) throw error;
      refused();
      await delay(retryMs);
    }
  }
}

/** Bodies of one connection: enough different ones in all that persons and pages vary, few enough to stay in the processor's cache. */
const templatesOf = ({ persons, eventsPerRequest, connections }: LoadOrder): number =>
  Math.max(2, Math.ceil(persons / eventsPerRequest / connections));

async function openLane(
  order: LoadOrder,
  lane: number,
): Promise<{ connection: Connection; templates: PreparedRequest[] }> {
  const count = templatesOf(order);
  const templates = Array.from({ length: count }, (_, index) =>
    prepareRequest(order, order, (lane * count + index) * order.eventsPerRequest),
  );
  return { connection: await openConnection(order.port), templates };
}
