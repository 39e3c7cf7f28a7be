import { type Connection, openConnection } from './connection.ts';
import { dueAtMs, dueBy, requestsOf, type Schedule } from './schedule.ts';

/** Open from the beginning. More are opened when all are waiting for replies. */
const connectionsMin = 256;
const connectionsMax = 1_000;
const retryMs = 100;
const lateMsMax = 300_000;

/** Requests, their times and their address. */
export interface ScheduledLoad {
  port: number;
  schedule: Schedule;
  /** Longest body. */
  bodyBytesMax: number;
  /** The request of this place in the schedule, its body written into `buffer`, which nothing else is written to before the reply. */
  request: (index: number, buffer: Buffer) => { head: Uint8Array; body: Uint8Array };
}

/** How a load went whose every request was answered with 200. */
export interface ScheduledResult {
  /** When the first request was due: milliseconds since 1970, with fractions. */
  begunAtMs: number;
  /** Milliseconds from the moment when a request was due until its reply, by request. */
  latenciesMs: Float64Array;
  /** The part of it that the generator was late, because it had no processor or worked on something else. */
  lateMs: Float64Array;
  /** From the first request until the last reply. */
  seconds: number;
  /** Requests that had to be sent again. */
  retries: number;
  /** Most connections at a time. */
  connections: number;
  /** CPU of the generator itself. */
  cpuSeconds: number;
}

/** A connection with a buffer of its own: what is still being sent must not be written over. */
interface Lane {
  connection: Connection;
  buffer: Buffer;
}

/**
 * Sends requests when they are due, whether those before were answered or not (an open model). One that is refused goes out again, and
 * its time continues counting. @throws when one is still refused after five minutes
 */
export async function sendOnSchedule({
  port,
  schedule,
  bodyBytesMax,
  request,
}: ScheduledLoad): Promise<ScheduledResult> {
  const openLane = async (): Promise<Lane> => ({
    connection: await openConnection(port),
    buffer: Buffer.alloc(bodyBytesMax),
  });
  const latenciesMs = new Float64Array(requestsOf(schedule));
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
    const { head, body } = request(index, lane.buffer);
    lane.connection.send(head, body).then(
      () => {
        latenciesMs[index] = performance.now() - begun - dueAtMs(schedule, index);
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
    if (performance.now() - begun - dueAtMs(schedule, index) > lateMsMax) return finished.reject(error);
    setTimeout(() => (refused.push(index), next()), retryMs);
  }

  function tick(): void {
    const nowMs = performance.now() - begun;
    for (const dueNow = dueBy(schedule, nowMs); due < dueNow; due++) lateMs[due] = nowMs - dueAtMs(schedule, due);
    next();
    if (due < latenciesMs.length) setTimeout(tick, Math.max(0, begun + dueAtMs(schedule, due) - performance.now()));
  }
  tick();
  await finished.promise;

  const { user, system } = process.cpuUsage(usedBefore);
  const seconds = (performance.now() - begun) / 1000;
  for (const { connection } of free) connection.close();
  return {
    begunAtMs: performance.timeOrigin + begun,
    latenciesMs,
    lateMs,
    seconds,
    retries,
    connections,
    cpuSeconds: (user + system) / 1e6,
  };
}
