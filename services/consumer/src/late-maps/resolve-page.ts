import { randomUUID } from 'node:crypto';
import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import type { lateEvents } from '@millrace/contracts/tables/late-events.ts';
import { readFrame } from '@millrace/symbolication/frames/raw-frame.ts';
import { referenceOf } from '@millrace/symbolication/frames/symbol-reference.ts';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import type { ExceptionParts } from '../exceptions/exception-parts.ts';
import type { FrameStore, StoredFrame } from '../exceptions/frame-store.ts';
import { inTurns } from '../exceptions/in-turns.ts';
import { fingerprintKey, type SeenException } from '../exceptions/issues/issue-source.ts';
import { seenException } from '../exceptions/issues/seen-exception.ts';
import { projectSymbols } from '../exceptions/project-symbols.ts';
import { batchLimits, type SymbolLimits } from '../exceptions/symbols/load-sets.ts';
import { loadSymbols, namesOfAll, type BatchSymbols, type Wanted } from '../exceptions/symbols/symbol-source.ts';
import type { SymbolSets } from '../exceptions/symbols/symbol-sets.ts';
import { completeAgain, readLateException, type LateException } from './late-exception.ts';
import type { LateClickhouse } from './late-clickhouse.ts';
import * as sql from './late-sql.ts';
import type { PassStore } from './pass-store.ts';

/** Points at which a test may end the process. */
export type LateFailpoint = 'begun' | 'frames-stored' | 'issues-seen' | 'run-stored' | 'events-written' | 'advanced';

/** The parts that stored exceptions are resolved anew with. */
export interface LateParts {
  clickhouse: LateClickhouse;
  passes: PassStore;
  /** Reads the sets of today: what it remembers may be from before they had a file. */
  sets: () => Pick<SymbolSets, 'find' | 'record'>;
  frames: Pick<FrameStore, 'write'>;
  exceptions: Pick<ExceptionParts, 'compiled' | 'issues'>;
  /** Called with a fault of ours at one exception, which stays as it is: thrown further it would hold up all others. */
  onFault: (error: unknown, uuid: string) => void;
  /** Throws when another process may do this work. */
  assertHeld(): Promise<void>;
  failpoint?: ((point: LateFailpoint) => Promise<void> | void) | undefined;
}

/** Exceptions of one project and day. */
interface Page {
  projectId: number;
  day: string;
  exceptions: readonly sql.StoredException[];
}

interface Manner {
  /** Symbols that are away end the page; else frames stay without them. */
  isPatient: boolean;
  signal: AbortSignal;
}

/** An exception that symbols say more of than is stored. */
interface Completed {
  late: LateException;
  records: readonly StoredFrame[];
}

/** Symbols could not be read now. */
class SymbolsAwayError extends Error {
  override name = 'SymbolsAwayError';
}

/** The symbols of a page have as long as this to load: nobody waits for them. */
const loadMsMax = 60_000;
/** Symbols of a page, beside those of batches: one large set, or several small ones. */
const pageLimits: SymbolLimits = { ...batchLimits, projectBytesMax: 64_000_000 };

/**
 * Resolves exceptions anew, and answers how many were changed. An event is changed by one statement together with its page: each query sees it
 * once, as it was or as it is. Done again after a crash, it finds done what was done. A page whose symbols take too much memory is divided; an
 * exception alone may have those of a batch.
 * @throws {SymbolsAwayError} @throws whatever Postgres and ClickHouse say
 */
export async function resolvePage(
  parts: LateParts,
  { projectId, day, exceptions: stored }: Page,
  how: Manner,
): Promise<number> {
  const { clickhouse, frames, failpoint = () => undefined } = parts;
  const read: LateException[] = [];
  await inTurns(stored, (one) =>
    unlessFaulty(parts, one, () => {
      const late = readLateException(one);
      if (late !== null) read.push(late);
    }),
  );
  const raw = await parts.passes.rawFrames(projectId, [...new Set(read.flatMap(({ hashes }) => hashes))]);
  const isAlone = stored.length === 1;
  const limits = isAlone ? batchLimits : pageLimits;
  const { symbols, isFull } = await symbolsOf(parts, { projectId, raw, limits }, how);
  if (isFull && !isAlone) {
    const half = Math.ceil(stored.length / 2);
    const first = await resolvePage(parts, { projectId, day, exceptions: stored.slice(0, half) }, how);
    return first + (await resolvePage(parts, { projectId, day, exceptions: stored.slice(half) }, how));
  }
  const completed: Completed[] = [];
  await inTurns(read, (late) =>
    unlessFaulty(parts, late.stored, () => {
      const { find, releases, stored: recordOf } = projectSymbols(symbols, projectId);
      const records = completeAgain(late, { find, releases, rawFrameOf: (hash) => raw.get(hash) });
      if (records !== null) completed.push({ late, records: records.map(recordOf) });
    }),
  );
  if (completed.length === 0) return 0;
  await frames.write(completed.flatMap(({ records }) => records));
  await failpoint('frames-stored');
  await linkIssues(parts, projectId, completed);
  await failpoint('issues-seen');

  const run = randomUUID();
  const rows: RowOf<typeof lateEvents>[] = [];
  await inTurns(completed, ({ late }) => void rows.push(rowOf(late, projectId, run)));
  await parts.assertHeld();
  await clickhouse.run(sql.clearRuns({ projectId }));
  await clickhouse.store(rows, run);
  await failpoint('run-stored');
  await parts.assertHeld();
  await clickhouse.run(sql.writeRun({ projectId, day }, run));
  await clickhouse.run(sql.clearRuns({ projectId }));
  await failpoint('events-written');
  return completed.length;
}

function unlessFaulty({ onFault }: LateParts, { uuid }: sql.StoredException, run: () => void): void {
  try {
    run();
  } catch (error) {
    onFault(error, uuid);
  }
}

/** The symbols of a page, and whether there are more than it may hold. */
async function symbolsOf(
  { sets: open, exceptions: { compiled } }: LateParts,
  { projectId, raw, limits }: { projectId: number; raw: ReadonlyMap<string, JsonObject>; limits: SymbolLimits },
  { isPatient, signal }: Manner,
): Promise<{ symbols: BatchSymbols; isFull: boolean }> {
  const sets = open();
  const wanted = wantedOf(projectId, raw);
  const found = await sets.find(namesOfAll(wanted));
  let away: unknown;
  const timeout = AbortSignal.timeout(loadMsMax);
  const symbols = await loadSymbols(
    wanted,
    {
      found,
      compiled,
      onAway: (error) => void (away = error),
      limits,
    },
    AbortSignal.any([signal, timeout]),
  );
  const isFull = symbols.late.length > 0 && away === undefined && !timeout.aborted;
  const isEnough = symbols.late.length === 0 || isFull || (!isPatient && away === undefined);
  if (!isEnough || signal.aborted)
    throw new SymbolsAwayError('symbols of stored exceptions cannot be read now', { cause: away });
  // Names without a file, and late ones, are noted for exceptions that come.
  await sets.record({ ...symbols, missing: [], late: [] });
  return { symbols, isFull };
}

/** References of frames, each once. */
function wantedOf(projectId: number, raw: ReadonlyMap<string, JsonObject>): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const sent of raw.values()) {
    const frame = readFrame(sent);
    const reference = frame === null ? null : referenceOf(frame);
    if (reference === null || 'text' in reference) continue;
    wanted.set(JSON.stringify([reference.chunkId, reference.url]), { projectId, reference });
  }
  return [...wanted.values()];
}

/** Leads exceptions to the issues of their new fingerprints. One that is suppressed drops none of them. */
async function linkIssues(
  { exceptions: { issues }, passes }: LateParts,
  projectId: number,
  completed: readonly Completed[],
): Promise<void> {
  const seen = completed.map(({ late }) => seenOf(late, projectId));
  const known = seen.filter((one) => one !== null);
  const { issues: found } = await issues.see(known);
  await passes.lowerFirstSeen(known);
  for (const [index, { late }] of completed.entries()) {
    const one = seen[index] ?? null;
    const issue = one === null ? undefined : found.get(fingerprintKey(one));
    if (issue !== undefined) late.properties.replace('$exception_issue_id', issue.id);
  }
}

/** Its exception was alerted to when it came, or came before the settings: it is no news. */
function seenOf({ stored, properties }: LateException, id: number): SeenException | null {
  const head = { timestamp: stored.happenedAt, receivedAt: stored.receivedAt };
  const seen = seenException({ project: { id }, head, properties }, true);
  return seen === null ? null : { ...seen, alerts: false };
}

const rowOf = ({ stored, properties }: LateException, team_id: number, run: string): RowOf<typeof lateEvents> => ({
  run,
  team_id,
  distinct_id: stored.distinctId,
  uuid: stored.uuid,
  properties_text: properties.text,
  properties: properties.map,
});
