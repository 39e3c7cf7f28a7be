import { randomUUID } from 'node:crypto';
import { delay } from '@millrace/runtime/clock.ts';
import type { JobLock } from '../jobs/job-lock.ts';
import type { SquashClickhouse } from './squash-clickhouse.ts';
import * as sql from './squash-sql.ts';

/** Points at which a test may end the process. */
type SquashFailpoint = 'chosen' | 'rewrite-begun' | 'rewritten' | 'hidden-removed' | 'removed';

export interface SquashOptions {
  /** Overrides of distinct ids that a merge moved within this time are left for later. */
  ageMs: number;
  /** Most overrides that are squashed at once. */
  chunkMax?: number;
  /** Between the last rewritten event and the first removed override: queries that began before have read both by then. */
  settleMs?: number;
  /** Breaks the run off; without it only the end of the process does. */
  signal?: AbortSignal;
  onProgress: (progress: SquashProgress) => void;
  failpoint?: (point: SquashFailpoint) => Promise<void> | void;
}

/** Progress of a run. */
interface SquashProgress {
  /** Overrides that were squashed and removed. */
  overrides: number;
  /** Events that were rewritten. */
  events: number;
  /** Current activity, for people. */
  doing: string;
}

export type SquashReport = Omit<SquashProgress, 'doing'>;

const preset = { chunkMax: 50_000, settleMs: 5_000 };

/** Longer than ClickHouse takes to merge the parts of a month when no old persons are written. */
const roundsMax = 10;

/**
 * Writes the persons of old overrides into the events themselves and then removes these overrides, so that the table
 * that queries join stays small. Whoever queries sees no difference, at no moment:
 *
 * - An override rules over what its events carry, so rewriting them changes no result; it goes only when no event is
 *   left that carries another person.
 * - A newer merge has a higher version: it stays, because only versions up to the one that was found are removed.
 * - Killed anywhere, the next run starts again: it lets ClickHouse finish what was begun, and what is done already is
 *   found done.
 * - The job that lost its lock without knowing does no harm: its statements read `person_folds`, which the next run
 *   empties.
 *
 * Events that are stored later carry the person that identity knows then. One that was on its way since before the
 * merge would be late: `ageMs` must be longer than any batch carries what it read of persons (`personsAgeMaxMs`).
 * @throws {SquashStoppedError} when `signal` aborted; the rest is for the next run.
 */
export async function squashOverrides(
  clickhouse: SquashClickhouse,
  lock: JobLock,
  options: SquashOptions,
): Promise<SquashReport> {
  const { chunkMax } = { ...preset, ...options };
  const total: SquashReport = { overrides: 0, events: 0 };
  for (;;) {
    const squashed = await squashChunk(clickhouse, lock, options, total);
    if (squashed < chunkMax) return total;
  }
}

async function squashChunk(
  clickhouse: SquashClickhouse,
  lock: JobLock,
  options: SquashOptions,
  total: SquashReport,
): Promise<number> {
  const { ageMs, chunkMax, settleMs, signal, failpoint = () => undefined } = { ...preset, ...options };
  const run = randomUUID();
  await rewritesEnd(clickhouse, options, total);
  await lock.assertHeld();
  await clickhouse.run(sql.clearChosen);
  await clickhouse.run(sql.chooseOverrides(run, ageMs, chunkMax));
  const [counted] = await clickhouse.rows<{ chosen: string }>(sql.countChosen(run));
  const count = Number(counted?.chosen);
  if (count === 0) return 0;
  await failpoint('chosen');
  await rewriteEvents(clickhouse, lock, run, options, total);
  await delay(settleMs, signal);
  stopIf(signal);
  await lock.assertHeld();
  await clickhouse.run(sql.removeOverrides(run, 'hidden'));
  await failpoint('hidden-removed');
  await clickhouse.run(sql.removeOverrides(run, 'all'));
  await failpoint('removed');
  await clickhouse.run(sql.clearChosen);
  total.overrides += count;
  options.onProgress({ ...total, doing: `${count} overrides removed` });
  return count;
}

/** Repeats until no event has another person. Events are counted again after each round, because only the count proves it. */
async function rewriteEvents(
  clickhouse: SquashClickhouse,
  lock: JobLock,
  run: string,
  options: SquashOptions,
  total: SquashReport,
): Promise<void> {
  const { signal, onProgress, failpoint = () => undefined } = options;
  for (let round = 0; round < roundsMax; round++) {
    await rewritesEnd(clickhouse, options, total);
    const months = await clickhouse.rows<{ month: number; events: string }>(sql.monthsToRewrite(run));
    if (months.length === 0) return;
    for (const { month, events } of months) {
      stopIf(signal);
      onProgress({ ...total, doing: `rewriting ${events} events of ${month}` });
      await lock.assertHeld();
      await clickhouse.run(sql.rewriteMonth(run, month));
      await failpoint('rewrite-begun');
      await rewritesEnd(clickhouse, options, total);
      total.events += Number(events);
    }
    await failpoint('rewritten');
  }
  throw new Error('events with old persons keep coming: their overrides stay');
}

async function rewritesEnd(
  clickhouse: SquashClickhouse,
  { signal, onProgress }: SquashOptions,
  total: SquashReport,
): Promise<void> {
  for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    const [state] = await clickhouse.rows<{ unfinished: string; reason: string }>(sql.unfinishedRewrites);
    if (state === undefined || Number(state.unfinished) === 0) return;
    if (state.reason !== '') throw new Error(`ClickHouse cannot rewrite events: ${state.reason}`);
    if (pauseMs >= 2_000) onProgress({ ...total, doing: 'waiting for ClickHouse to rewrite events' });
    await delay(pauseMs, signal);
    stopIf(signal);
  }
}

/** The run was broken off on purpose. */
export class SquashStoppedError extends Error {
  override name = 'SquashStoppedError';
}

function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new SquashStoppedError('stopped: the rest is for the next run');
}
