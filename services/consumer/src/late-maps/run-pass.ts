import { delay } from '@millrace/runtime/clock.ts';
import { nextOf, countDay, oldestOf } from './late-sql.ts';
import type { Pass, PassProgress } from './pass-store.ts';
import { resolvePage, type LateParts } from './resolve-page.ts';

/** Result of a turn. */
export interface TurnReport {
  /** Exceptions that were written anew. */
  events: number;
  /** Exceptions that the pass has found so far. */
  found: number;
  isOver: boolean;
}

export interface TurnOptions {
  signal: AbortSignal;
  /** The turn ends with the first page after so many milliseconds. */
  turnMs?: number;
  /** Exceptions of a page, */
  pageMax?: number;
  /** their bytes, as far as one is not larger, */
  pageBytesMax?: number;
  /** and exceptions of a pass (contract/decisions 109). */
  foundMax?: number;
}

const preset = { turnMs: 10_000, pageMax: 500, pageBytesMax: 4_000_000, foundMax: 100_000 };
const dayMs = 86_400_000;
/** After failures pages are smaller: the symbols of fewer exceptions may fit. */
const smallPage = 50;
const patientTries = 3;

/**
 * Goes on with a pass for one turn: exceptions of the last seven days, the newest days first. What is done is noted page by page, and may be
 * done again.
 * @throws whatever `resolvePage` throws
 */
export async function runTurn(parts: LateParts, pass: Pass, options: TurnOptions): Promise<TurnReport> {
  const { signal, turnMs, pageMax, pageBytesMax, foundMax } = { ...preset, ...options };
  const { clickhouse, passes, failpoint = () => undefined } = parts;
  const untilMs = performance.now() + turnMs;
  const max = pass.tries === 0 ? pageMax : Math.min(pageMax, smallPage);
  let progress: PassProgress = pass;
  let events = 0;
  await failpoint('begun');
  while (!signal.aborted) {
    const pageFromMs = performance.now();
    const day = progress.day ?? dayOf(pass.startedAt, 1);
    if (day < dayOf(pass.startedAt, -7) || progress.found >= foundMax)
      return { events, found: progress.found, isOver: true };
    const oldest = await findOldest(parts, { ...pass, ...progress, day }, foundMax);
    const wanted = { ...pass, ...progress, day, oldest: oldest ?? null };
    const page =
      oldest === undefined
        ? { exceptions: [], isCut: false }
        : await clickhouse.exceptions(nextOf(wanted, progress.after, max), pageBytesMax);
    const { projectId } = pass;
    const { exceptions } = page;
    events += await resolvePage(
      parts,
      { projectId, day, exceptions },
      { isPatient: pass.tries < patientTries, signal },
    );
    const last = exceptions.at(-1);
    const found = progress.found + exceptions.length;
    const isDayOver = last === undefined || (exceptions.length < max && !page.isCut);
    progress = isDayOver
      ? { day: dayOf(new Date(day), -1), oldest: null, after: [], found }
      : { day, oldest: wanted.oldest, after: last.place, found };
    await passes.advance(pass, progress);
    await failpoint('advanced');
    if (performance.now() > untilMs) break;
    // As long as it worked: events that come have the machine for half of the time.
    await delay(performance.now() - pageFromMs, signal);
  }
  return { events, found: progress.found, isOver: false };
}

/**
 * The time from which on exceptions of a day are resolved anew, since the newest count first; null: all of them; undefined: there are none.
 * Known when some of the day were read.
 */
async function findOldest(
  { clickhouse }: LateParts,
  wanted: Pass & { day: string },
  foundMax: number,
): Promise<string | null | undefined> {
  if (wanted.after.length > 0) return wanted.oldest;
  const [counted] = await clickhouse.rows<{ count: string }>(countDay(wanted));
  const left = foundMax - wanted.found;
  if (Number(counted?.count ?? 0) === 0) return undefined;
  if (Number(counted?.count) <= left) return null;
  const [row] = await clickhouse.rows<{ oldest: string }>(oldestOf({ ...wanted, oldest: null }, left));
  return row?.oldest ?? null;
}

/** The UTC day so many days later. */
const dayOf = (time: Date, days: number): string => new Date(time.getTime() + days * dayMs).toISOString().slice(0, 10);
