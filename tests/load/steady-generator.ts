// Sends events on a schedule that does not wait for replies (an open model), in a process of its own; one order in its life.
// A request that is refused goes out again with the same uuids, as an SDK's would, and its time goes on counting.
import { carryOutOrders } from './carry-out-orders.ts';
import { type Connection, openConnection } from './connection.ts';
import { renumber, uuidMark } from './payloads.ts';
import { type PreparedRequest, prepareRequest } from './prepared-request.ts';
import { dueAtMs, dueBy, requestsOf } from './schedule.ts';
import type { SteadyOrder, SteadyResult } from './steady-order.ts';

/** Open from the beginning, as in the loads that do not keep to a schedule. More are opened when all are waiting for replies. */
const connectionsMin = 256;
const connectionsMax = 1_000;
const retryMs = 100;
const lateMsMax = 300_000;

/** A connection with a buffer of its own: what is still being sent must not be written over. */
interface Lane {
  connection: Connection;
  body: Buffer;
}

carryOutOrders(carryOut);

async function carryOut(order: SteadyOrder): Promise<SteadyResult> {
  const templates = prepareAll(order);
  const bodyBytes = Math.max(...templates.map(({ body }) => body.bytes.length));
  const openLane = async (): Promise<Lane> => ({ connection: await openConnection(order.port), body: Buffer.alloc(bodyBytes) });
  const latenciesMs = new Float64Array(requestsOf(order.schedule));
  const lateMs = new Float64Array(latenciesMs.length);
  /** The one used last is used first: so few connections are busy when few suffice. */
  const free = await Promise.all(Array.from({ length: connectionsMin }, openLane));
  /** Requests up to `due` have come due, those up to `sent` went out; beside them those that are to go out again. */
  let [due, sent] = [0, 0];
  const refused: number[] = [];
  let [connections, retries, left] = [free.length, 0, latenciesMs.length];
  const finished = Promise.withResolvers<void>();
  const usedBefore = process.cpuUsage();
  const begun = performance.now();

  const isWaiting = (): boolean => refused.length > 0 || sent < due;

  function next(): void {
    while (isWaiting()) {
      const lane = free.pop();
      if (lane === undefined) break;
      if (lane.connection.isOpen()) send(refused.pop() ?? sent++, lane);
      else connections--;
    }
    if (isWaiting() && connections < connectionsMax) {
      connections++;
      openLane().then((lane) => (free.push(lane), next()), finished.reject);
    }
  }

  function send(index: number, lane: Lane): void {
    const { head, body } = templates[index % templates.length] as PreparedRequest;
    const bytes = lane.body.subarray(0, body.bytes.length);
    body.bytes.copy(bytes);
    renumber({ ...body, bytes }, index * order.eventsPerRequest);
    lane.connection.send(head, bytes).then(
      () => {
        latenciesMs[index] = performance.now() - begun - dueAtMs(order.schedule, index);
        free.push(lane);
        if (--left === 0) finished.resolve();
        else if (isWaiting()) next();
      },
      (error: unknown) => again(index, lane, error),
    );
  }

  function again(index: number, lane: Lane, error: unknown): void {
    lane.connection.close();
    connections--;
    retries++;
    if (performance.now() - begun - dueAtMs(order.schedule, index) > lateMsMax) return finished.reject(error);
    setTimeout(() => (refused.push(index), next()), retryMs);
  }

  function tick(): void {
    const nowMs = performance.now() - begun;
    for (const dueNow = dueBy(order.schedule, nowMs); due < dueNow; due++) lateMs[due] = nowMs - dueAtMs(order.schedule, due);
    next();
    if (due < latenciesMs.length) setTimeout(tick, Math.max(0, begun + dueAtMs(order.schedule, due) - performance.now()));
  }
  tick();
  await finished.promise;

  const { user, system } = process.cpuUsage(usedBefore);
  const seconds = (performance.now() - begun) / 1000;
  for (const { connection } of free) connection.close();
  return { begunAtMs: performance.timeOrigin + begun, uuidMark, latenciesMs, lateMs, seconds, retries, connections, cpuSeconds: (user + system) / 1e6 };
}

/** Twice as many events as there are distinct ids, so that the events of an id differ. */
function prepareAll(order: SteadyOrder): PreparedRequest[] {
  const count = Math.min(requestsOf(order.schedule), Math.ceil((2 * order.persons) / order.eventsPerRequest));
  return Array.from({ length: count }, (_, index) => prepareRequest(order, order, index * order.eventsPerRequest));
}
