import { delay } from '@millrace/runtime/clock.ts';
import type { SystemUnderTest } from '../../system-under-test.ts';

const pollEveryMs = 50;
const deadlineMs = 60_000;

/** Exceptions that became visible. */
export interface Visible {
  /** Milliseconds from the reply of capture, one for each. */
  waitsMs: number[];
  /** How many have a frame that a map resolved. */
  resolved: number;
}

/** Looks every 50 ms until exceptions can be queried. `accepted`: by uuid, when capture took each. @throws after a minute */
export async function exceptionsVisible(
  { store, local }: SystemUnderTest,
  accepted: Promise<ReadonlyMap<string, number>>,
  count: number,
): Promise<Visible> {
  const seen = new Map<string, number>();
  const since = await store.number({ sql: 'SELECT toUnixTimestamp64Micro(now64(6))' });
  const sql = `SELECT uuid, position(properties_text, '"resolved":true') > 0 FROM analytics.events
    WHERE team_id = {team:Int64} AND event = '$exception' AND inserted_at > fromUnixTimestamp64Micro({since:Int64})`;
  const resolved = new Set<string>();
  let wanted: ReadonlyMap<string, number> | null = null;
  const sent = accepted.then((found) => (wanted = found));
  const isComplete = (): boolean => wanted !== null && [...wanted.keys()].every((uuid) => seen.has(uuid));
  for (let deadline = Infinity; !isComplete(); await delay(pollEveryMs)) {
    if (wanted !== null && deadline === Infinity) deadline = Date.now() + deadlineMs;
    if (Date.now() > deadline) throw new Error(`not all of ${count} exceptions became visible`);
    const rows = (await store.send({ sql, params: { team: local.projectId, since } })).toString().split('\n');
    const now = performance.now();
    for (const [uuid = '', isResolved] of rows.filter(Boolean).map((row) => row.split('\t'))) {
      if (!seen.has(uuid)) seen.set(uuid, now);
      if (isResolved === '1') resolved.add(uuid);
    }
  }
  const all = [...(await sent)];
  return {
    waitsMs: all.map(([uuid, at]) => Math.max(0, (seen.get(uuid) ?? 0) - at)),
    resolved: all.filter(([uuid]) => resolved.has(uuid)).length,
  };
}
