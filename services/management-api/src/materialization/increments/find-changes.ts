import { insertMarginMs } from '@millrace/contracts/limits.ts';
import type { BuildBuckets } from '../../queries/compile/compile-table.ts';
import type { BuildStore, FoundNumbers } from '../build-store.ts';
import type { FoundChanges } from './decide-increment.ts';
import { overridesMax } from './increment-limits.ts';
import { changedBuckets, countOverrides, presentMoment, type IncrementStatement } from './increment-sql.ts';

/** Sends a statement of ours, and counts what it reads. */
export type Find = (
  statement: IncrementStatement,
  step: 'moment' | 'overrides' | 'changes' | 'stored' | 'compared' | 'compare',
) => Promise<FoundNumbers['rows']>;

/** A way to send statements of one build. `read` gets the number of rows that each reads. */
export function finder(
  store: Pick<BuildStore, 'find'>,
  scopeOf: (step: Parameters<Find>[1]) => Parameters<BuildStore['find']>[1],
  read: (rows: number) => void,
): Find {
  return async (statement, step) => {
    const { rows, rowsRead } = await store.find(statement, scopeOf(step));
    read(rowsRead);
    return rows;
  };
}

/** Milliseconds since 1970 by the clock that gives events their time. */
export async function readMoment(find: Find): Promise<number> {
  return (await find(presentMoment, 'moment'))[0]?.[0] ?? 0;
}

/** Events that came, or whose person moved, since a table was read; null: too many persons moved. Events that come meanwhile may be left out. */
export async function findChanges(
  find: Find,
  buckets: BuildBuckets,
  {
    readAtMs,
    nowMs,
    step,
  }: { readAtMs: number; /** By the same clock. */ nowMs: number; step: 'changes' | 'compared' },
): Promise<Omit<FoundChanges, 'storedBuckets'> | null> {
  const begun = performance.now();
  const sinceMs = readAtMs - insertMarginMs;
  const overrides = buckets.readsPersons ? ((await find(countOverrides(sinceMs), 'overrides'))[0]?.[0] ?? 0) : 0;
  if (overrides > overridesMax) return null;
  const rows = await find(changedBuckets(buckets, { sinceMs, withPersons: overrides > 0 }), step);
  return {
    buckets: rows.map(([value = 0, from = 0, to = 0]) => ({ value, from, to })),
    areSound: rows.every((row) => row[3] === 1),
    sinceMs: nowMs - readAtMs + Math.ceil(performance.now() - begun),
  };
}
