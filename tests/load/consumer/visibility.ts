import { delay } from '@millrace/runtime/clock.ts';
import { dueAtMs } from '../generator/schedule.ts';
import type { SteadyOrder, SteadyResult } from '../generator/steady-order.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** When each of the consumer's inserts was first seen by a query: milliseconds since 1970, by its `inserted_at` in microseconds. */
type SeenInserts = ReadonlyMap<number, number>;

/**
 * Looks for new inserts every `everyMs` while the work runs. The rows of an insert share `inserted_at` and become visible
 * together, so that looking at this one column is enough; what is told is late by one look at most.
 */
export async function watchInserts<Result>(
  { store, local }: SystemUnderTest,
  everyMs: number,
  work: () => Promise<Result>,
): Promise<{ seen: SeenInserts; result: Result }> {
  const seen = new Map<number, number>();
  let [last, over] = [0, false];
  const sql = `SELECT DISTINCT toUnixTimestamp64Micro(inserted_at) FROM analytics.events
    WHERE team_id = {team:Int64} AND inserted_at > fromUnixTimestamp64Micro({since:Int64})`;
  const poll = async (): Promise<void> => {
    // Inserts of several streams overtake each other, by no more than this.
    const response = (
      await store.send({ sql, params: { team: local.projectId, since: Math.max(0, last - 60_000_000) } })
    ).toString();
    const nowMs = performance.timeOrigin + performance.now();
    for (const at of response.split('\n').filter(Boolean).map(Number)) {
      if (!seen.has(at)) seen.set(at, nowMs);
      last = Math.max(last, at);
    }
  };
  const watching = (async () => {
    for (; !over; await delay(everyMs)) await poll();
    await poll();
  })();
  try {
    const [result] = await Promise.all([work().finally(() => (over = true)), watching]);
    return { seen, result };
  } finally {
    over = true;
  }
}

/** Maximum events of a load that are looked up; evenly chosen by their uuids. */
const sampleMax = 200_000;

/** Milliseconds from the moment when each event was due until a query could see it, of a sample of the load's events. */
export async function timesToVisible(
  system: SystemUnderTest,
  order: Pick<SteadyOrder, 'schedule' | 'eventsPerRequest'>,
  load: SteadyResult,
  seen: SeenInserts,
): Promise<Float64Array> {
  const events = load.latenciesMs.length * order.eventsPerRequest;
  const sql = `SELECT substring(toString(uuid), 25), toUnixTimestamp64Micro(inserted_at) FROM analytics.events
    WHERE team_id = {team:Int64} AND startsWith(toString(uuid), {mark:String}) AND cityHash64(uuid) % {every:UInt32} = 0`;
  const params = { team: system.local.projectId, mark: load.uuidMark, every: Math.ceil(events / sampleMax) };
  const rows = (await system.store.send({ sql, params })).toString().split('\n').filter(Boolean);
  return Float64Array.from(rows, (row) => {
    const [number = '', at] = row.split('\t');
    const dueMs =
      load.begunAtMs + dueAtMs(order.schedule, Math.floor(Number.parseInt(number, 16) / order.eventsPerRequest));
    const seenMs = seen.get(Number(at));
    if (seenMs === undefined) throw new Error(`nobody saw the insert at ${at}`);
    return seenMs - dueMs;
  });
}
