import type { ProjectTable } from '@millrace/clickhouse/users/project-view.ts';
import { mayStillRun, wasGivenUp } from '../../queries/execute/query-endings.ts';
import { TooLargeBuildError } from '../build-failure.ts';
import type { BuildLimits } from '../build-limits.ts';
import { endQueries, queryIdOf, type QueryStep } from './build-queries.ts';
import type { BuildQuery, TableLayout } from '../build-request.ts';
import type { QueryScope, TableSize } from '../build-store.ts';
import type { BuildParts } from './build-parts.ts';
import type { ClaimedBuild } from '../claim-build.ts';
import { beginIncrement, type BegunIncrement } from '../increments/begin-increment.ts';
import { compareWithPresent } from '../increments/compare-tables.ts';
import { finder, type Find } from '../increments/find-changes.ts';
import { countBuckets, otherRows } from '../increments/increment-sql.ts';
import type { TableIncrement } from '../increments/table-increment.ts';

/** A table that is ready to be the version's. */
export interface MadeTable {
  layout: TableLayout;
  size: TableSize;
  /** Buckets that were built again; null: all were. */
  bucketsRebuilt: number | null;
  rowsRead: number;
  compare: CompareMade | null;
}

/**
 * Compares a whole build with the table of before, while both are there: the number of buckets that differ. Within the time that is left of
 * the build. Never throws: the build is good without it. Nothing of it runs any more afterwards, as far as that can be known.
 */
export type CompareMade = (signal: AbortSignal) => Promise<number>;

/** Parts that the statements of one build share. */
interface Making {
  parts: BuildParts;
  claim: ClaimedBuild;
  table: ProjectTable;
  query: BuildQuery;
  /** When the whole build must have ended. */
  endsAtMs: number;
  signal: AbortSignal;
  find: Find;
  countRead: (rows: number) => void;
}

/** Makes the table of a build, with its view. @throws what its statements throw; nothing of it runs any more then, as far as that can be known */
export async function makeTable(
  parts: BuildParts,
  claim: ClaimedBuild,
  name: string,
  signal: AbortSignal,
): Promise<MadeTable> {
  const endsAtMs = performance.now() + parts.limits.secondsMax * 1000;
  // A process that was killed left its query behind.
  if (claim.isTakenOver) await endQueries(parts, { ...claim, buildNumber: claim.buildNumber - 1 });
  const query = await parts.compileBuild(claim.versionId);
  try {
    return await storeRows(parts, claim, { name, query, endsAtMs }, signal);
  } catch (error) {
    if (signal.aborted || wasGivenUp(error) || mayStillRun(error)) await endQueries(parts, claim);
    throw error;
  }
}

async function storeRows(
  parts: BuildParts,
  claim: ClaimedBuild,
  { name, query, endsAtMs }: { name: string; query: BuildQuery; endsAtMs: number },
  signal: AbortSignal,
): Promise<MadeTable> {
  const { store, limits, onStep } = parts;
  const scope = { teamId: claim.projectId, signal };
  const scopeOf = (step: QueryStep) => ({ ...scope, endsAtMs, queryId: queryIdOf(parts.scope, claim, step) });
  let rowsRead = 0;
  const countRead = (rows: number): void => void (rowsRead += rows);
  const find = finder(store, scopeOf, countRead);
  const layout = layoutOf(query, await store.typesOf(query, scopeOf('types')));
  const begun = await beginIncrement({ ...parts, signal }, claim, { query, layout, find });
  const table: ProjectTable = {
    name,
    teamId: claim.projectId,
    columns: layout.columns.map(({ column, type, isKey }) => ({ name: column, type, isKey })),
  };
  await store.createTable(table, scope);
  await onStep?.('created');
  const making: Making = { parts, claim, table, query, endsAtMs, signal, find, countRead };
  const bucketsRebuilt = begun === null ? null : await fillBuckets(making, begun);
  if (bucketsRebuilt === null) await fillWhole(making);
  await onStep?.('filled');
  const size = await store.sizeOf(name, scope);
  refuseSize(size, limits);
  await store.createView(table, scope);
  await onStep?.('viewed');
  const isWhole = bucketsRebuilt === null;
  const increment = begun && (await incrementOf(begun, { find, claim, name, isWhole }));
  const compare = begun?.present && isWhole ? comparisonOf(making, begun) : null;
  return { layout: { ...layout, ...(increment && { increment }) }, size, bucketsRebuilt, rowsRead, compare };
}

function comparisonOf({ parts, claim, table: { name }, endsAtMs }: Making, begun: BegunIncrement): CompareMade {
  return async (signal) => {
    const scopeOf = (step: QueryStep): QueryScope => ({
      teamId: claim.projectId,
      endsAtMs,
      signal,
      queryId: queryIdOf(parts.scope, claim, step),
    });
    const find = finder(parts.store, scopeOf, () => undefined);
    try {
      return await compareWithPresent({ ...parts, find }, claim, { name, begun });
    } catch (err) {
      if (!signal.aborted)
        parts.logger.warn(
          { err, versionId: claim.versionId },
          'a whole build could not be compared with the table of before',
        );
      if (signal.aborted || wasGivenUp(err) || mayStillRun(err)) await endQueries(parts, claim);
      return 0;
    }
  };
}

async function incrementOf(
  { facts, present, bucketColumn }: BegunIncrement,
  { find, claim, name, isWhole }: { find: Find; claim: ClaimedBuild; name: string; isWhole: boolean },
): Promise<TableIncrement> {
  if (present !== null && !isWhole) return { ...present.increment, ...facts };
  const bucketsStored = (await find(countBuckets(name, bucketColumn), 'stored'))[0]?.[0] ?? 0;
  return { ...facts, wholeAtMs: claim.startedAt.getTime(), bucketsStored };
}

async function fillWhole(making: Making): Promise<void> {
  const { table, query, parts, countRead } = making;
  await measured(making, async (scopeOf) => countRead(await parts.store.fill(table, query, scopeOf('fill'))));
}

/**
 * Fills the table with what changed, and with the rest of the present one. Returns the number of buckets that were built. Null: the table is
 * empty, and all must be built; what failed is in the log.
 */
async function fillBuckets(making: Making, { present, changed, bucketColumn }: BegunIncrement): Promise<number | null> {
  const { parts, claim, table, signal, countRead } = making;
  const { store, logger } = parts;
  if (present === null || changed === null) return null;
  const rest = otherRows(present.name, {
    columns: table.columns.map(({ name }) => name),
    bucketColumn,
    buckets: changed.map(({ value }) => value),
  });
  try {
    const part = changed.length === 0 ? null : await parts.compileBuild(claim.versionId, changed);
    await measured(making, async (scopeOf) => {
      countRead(await store.copy(table, rest, scopeOf('copy')));
      if (part !== null) countRead(await store.fill(table, part, scopeOf('buckets')));
    });
    return changed.length;
  } catch (err) {
    if (signal.aborted || err instanceof TooLargeBuildError) throw err;
    logger.warn(
      { err, versionId: claim.versionId },
      'changed buckets of a materialized version could not be built: it is built whole',
    );
    if (wasGivenUp(err) || mayStillRun(err)) await endQueries(parts, claim);
    await store.drop(table.name);
    await store.createTable(table, { teamId: claim.projectId, signal });
    return null;
  }
}

/** Stores rows, and gives up when there are too many. */
async function measured(
  { parts, claim, table, endsAtMs, signal }: Making,
  store: (scopeOf: (step: QueryStep) => QueryScope) => Promise<void>,
): Promise<void> {
  const { limits, onStep, measureEveryMs = 1_000 } = parts;
  const tooLarge = new AbortController();
  const either = AbortSignal.any([signal, tooLarge.signal]);
  const scopeOf = (step: QueryStep) => ({
    teamId: claim.projectId,
    endsAtMs,
    signal: either,
    queryId: queryIdOf(parts.scope, claim, step),
  });
  const timer = setInterval(() => {
    parts.store.sizeOf(table.name, { teamId: claim.projectId, signal: either }).then(
      (size) => {
        const of = excessOf(size, limits);
        if (of !== null) tooLarge.abort(new TooLargeBuildError(of));
      },
      // The end of the query will say what is wrong with ClickHouse.
      () => undefined,
    );
  }, measureEveryMs);
  try {
    const filling = store(scopeOf);
    filling.catch(() => undefined);
    await onStep?.('filling');
    await filling;
  } catch (error) {
    throw tooLarge.signal.aborted ? tooLarge.signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}

function layoutOf({ columns, plan = null }: BuildQuery, types: readonly string[]): TableLayout {
  if (types.length !== columns.length)
    throw new Error(`the query of a build has ${types.length} columns, and says that it has ${columns.length}`);
  return {
    columns: columns.map(({ name, isKey }, index) => ({ name, isKey, column: `c${index}`, type: types[index] ?? '' })),
    plan,
  };
}

function excessOf({ rows, bytes }: TableSize, { rowsMax, bytesMax }: BuildLimits): 'rows' | 'bytes' | null {
  if (rows > rowsMax) return 'rows';
  return bytes > bytesMax ? 'bytes' : null;
}

function refuseSize(size: TableSize, limits: BuildLimits): void {
  const of = excessOf(size, limits);
  if (of !== null) throw new TooLargeBuildError(of);
}
