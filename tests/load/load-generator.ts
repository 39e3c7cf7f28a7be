// Sends events as fast as they are accepted, in a process of its own: one order at a time, over connections that stay open.
import type { LoadOrder, LoadResult } from './load-order.ts';
import { type Connection, openConnection } from './connection.ts';
import { type BodyTemplate, eventBatch, renumber, singleEvent } from './payloads.ts';

/** Numbers of events never come again while this process lives. */
let nextNumber = 0;

process.on('message', (order: LoadOrder) => {
  carryOut(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));

async function carryOut(order: LoadOrder): Promise<LoadResult> {
  const lanes = await Promise.all(Array.from({ length: order.connections }, (_, index) => openLane(order, index)));
  let left = order.requests;
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  await Promise.all(
    lanes.map(async ({ connection, templates }) => {
      for (let turn = 0; left > 0; turn++) {
        left--;
        const { head, body } = templates[turn % templates.length] as Prepared;
        nextNumber = renumber(body, nextNumber);
        await connection.send(head, body.bytes);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(usedBefore);
  for (const { connection } of lanes) connection.close();
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

interface Prepared {
  head: Buffer;
  body: BodyTemplate;
}

/** Bodies of one connection: enough different ones that persons and pages vary, few enough to stay in the processor's cache. */
const templatesOf = (order: LoadOrder): number => (order.eventsPerRequest === 1 ? 32 : Math.max(2, Math.ceil(order.persons / order.eventsPerRequest / order.connections)));

async function openLane(order: LoadOrder, lane: number): Promise<{ connection: Connection; templates: Prepared[] }> {
  const count = templatesOf(order);
  const templates = Array.from({ length: count }, (_, index) => prepare(order, (lane * count + index) * order.eventsPerRequest));
  return { connection: await openConnection(order.port), templates };
}

function prepare(order: LoadOrder, first: number): Prepared {
  const body = order.eventsPerRequest === 1 ? singleEvent(order, first) : eventBatch(order, first, order.eventsPerRequest);
  const lines = [
    `POST ${order.path} HTTP/1.1`,
    `host: 127.0.0.1:${order.port}`,
    'content-type: application/json',
    'user-agent: posthog-node/5.70.0',
    `content-length: ${body.bytes.length}`,
  ];
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body };
}
