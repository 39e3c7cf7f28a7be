import { setTimeout as wait } from 'node:timers/promises';
import type { ProjectTable } from '@millrace/clickhouse/users/project-view.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { translateDatabaseError } from '../database/prisma-errors.ts';
import { mayStillRun, wasGivenUp, type QueryEndings } from '../queries/execute/query-endings.ts';
import { describeFailure, OwnStatementError, TooLargeBuildError } from './build-failure.ts';
import type { BuildLimits } from './build-limits.ts';
import type { BuildQuery, CompileBuild, TableLayout } from './build-request.ts';
import type { BuildStore, TableSize } from './build-store.ts';
import type { ClaimedBuild } from './claim-build.ts';
import { recordFailure, switchTable } from './end-build.ts';
import { ClaimLostError } from './hold-claim.ts';
import { tableName } from './table-name.ts';

/** Steps of a build, in order. `filling`: ClickHouse has been sent the query, and has not answered. */
export type BuildStep = 'created' | 'filling' | 'filled' | 'viewed' | 'switched';

/** `void`: the version was changed meanwhile, or another process has the build. `stopped`: this process stops. */
type BuildOutcome = 'completed' | 'failed' | 'void' | 'stopped';

export interface BuildEnd {
  outcome: BuildOutcome;
  seconds: number;
  rows: number;
}

/** Parts of every build. */
export interface BuildParts {
  pool: Pick<Pool, 'query'>;
  store: BuildStore;
  compileBuild: CompileBuild;
  limits: BuildLimits;
  endings: Pick<QueryEndings, 'end'>;
  scope: string;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Awaited after each step. */
  onStep?: (step: BuildStep) => Promise<void>;
  /** Interval of measuring a table that is being filled. */
  measureEveryMs?: number;
  /** Longest wait for the end of a query that is given up; default 5 s. ClickHouse may still run it then. */
  endingMsMax?: number;
}

/** The process stops, and its builds with it. */
export class BuildStoppedError extends Error {
  override name = 'BuildStoppedError';
}

const againMs = 500;
const triesMax = 120;

/**
 * Builds a table beside the present one and switches to it. Whatever happens, a run sees the table of before or the new one. A failure is
 * recorded at the version, in words for its author. Never throws; when `signal` aborts, the reason says what becomes of the build.
 */
export async function build(parts: BuildParts, claim: ClaimedBuild, signal: AbortSignal): Promise<BuildEnd> {
  const begun = performance.now();
  const name = tableName(parts.scope, claim);
  const end = (outcome: BuildOutcome, rows = 0): BuildEnd => ({
    outcome,
    rows,
    seconds: (performance.now() - begun) / 1000,
  });
  const described = { versionId: claim.versionId, projectId: claim.projectId, build: claim.buildNumber };
  let switches = 0;
  try {
    const { layout, size } = await make(parts, claim, name, signal);
    const tookSeconds = (performance.now() - begun) / 1000;
    const isOurs = await untilPostgresAnswers(() => {
      switches++;
      return switchTable(parts.pool, claim, { name, layout, size, tookSeconds });
    }, signal);
    await parts.onStep?.('switched');
    if (isOurs) return end('completed', size.rows);
    // A switch whose reply was lost may have made the table the version's, and it may still be. The sweep knows.
    if (switches === 1) await removeTable(parts, name);
    return end('void');
  } catch (error) {
    if (switches === 0) await removeTable(parts, name);
    if (signal.aborted) return end(signal.reason instanceof BuildStoppedError ? 'stopped' : 'void');
    const failure = describeFailure(error, parts.limits);
    if (failure.isOurs)
      parts.logger.warn({ ...described, err: error }, 'a build of a materialized version failed: it is tried again');
    else parts.logger.info({ ...described, reason: failure.text }, 'a build of a materialized version failed');
    try {
      await untilPostgresAnswers(() => recordFailure(parts.pool, claim, failure), signal);
      return end('failed');
    } catch (err) {
      // The claim ends by itself.
      if (!signal.aborted) parts.logger.warn({ ...described, err }, 'the failure of a build could not be recorded');
      return end(signal.reason instanceof BuildStoppedError ? 'stopped' : 'void');
    }
  }
}

async function make(
  parts: BuildParts,
  claim: ClaimedBuild,
  name: string,
  signal: AbortSignal,
): Promise<{ layout: TableLayout; size: TableSize }> {
  // A process that was killed left its query behind.
  if (claim.isTakenOver) await endQuery(parts, { ...claim, buildNumber: claim.buildNumber - 1 });
  const query = await parts.compileBuild(claim.versionId);
  try {
    return await storeRows(parts, claim, { name, query }, signal);
  } catch (error) {
    if (signal.aborted || wasGivenUp(error) || mayStillRun(error)) await endQuery(parts, claim);
    throw error;
  }
}

async function storeRows(
  parts: BuildParts,
  claim: ClaimedBuild,
  { name, query }: { name: string; query: BuildQuery },
  signal: AbortSignal,
): Promise<{ layout: TableLayout; size: TableSize }> {
  const { store, limits, onStep } = parts;
  const scope = { teamId: claim.projectId, signal };
  const { types: queryId } = queryIdsOf(parts.scope, claim);
  const layout = layoutOf(query, await store.typesOf(query, { ...scope, queryId }));
  const table: ProjectTable = {
    name,
    teamId: claim.projectId,
    columns: layout.columns.map(({ column, type, isKey }) => ({ name: column, type, isKey })),
  };
  await store.createTable(table, scope);
  await onStep?.('created');
  await fill(parts, claim, { table, query }, signal);
  await onStep?.('filled');
  const size = await store.sizeOf(name, scope);
  refuseSize(size, limits);
  await store.createView(table, scope);
  await onStep?.('viewed');
  return { layout, size };
}

/** Stores the rows, and gives up when there are too many. */
async function fill(
  parts: BuildParts,
  claim: ClaimedBuild,
  { table, query }: { table: ProjectTable; query: BuildQuery },
  signal: AbortSignal,
): Promise<void> {
  const { store, limits, onStep, measureEveryMs = 1_000 } = parts;
  const tooLarge = new AbortController();
  const either = AbortSignal.any([signal, tooLarge.signal]);
  const scope = { teamId: claim.projectId, signal: either, queryId: queryIdsOf(parts.scope, claim).fill };
  const timer = setInterval(() => {
    store.sizeOf(table.name, scope).then(
      (size) => {
        const of = excessOf(size, limits);
        if (of !== null) tooLarge.abort(new TooLargeBuildError(of));
      },
      // The end of the query will say what is wrong with ClickHouse.
      () => undefined,
    );
  }, measureEveryMs);
  try {
    const filling = store.fill(table, query, scope);
    filling.catch(() => undefined);
    await onStep?.('filling');
    await filling;
  } catch (error) {
    throw tooLarge.signal.aborted ? tooLarge.signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}

/** Ends what ClickHouse may still run for a build. */
async function endQuery(
  { endings, scope, endingMsMax = 5_000 }: Pick<BuildParts, 'endings' | 'scope' | 'endingMsMax'>,
  claim: Pick<ClaimedBuild, 'rowId' | 'buildNumber' | 'projectId'>,
): Promise<void> {
  const ids = Object.values(queryIdsOf(scope, claim));
  const ended = Promise.all(ids.map((queryId) => endings.end({ queryId, teamId: claim.projectId })));
  await Promise.race([ended, wait(endingMsMax, undefined, { ref: false })]);
}

/** Ids of the statements of a build that have users' SQL. ClickHouse forgets an id a little after its reply, so each has its own. */
function queryIdsOf(
  scope: string,
  claim: Pick<ClaimedBuild, 'rowId' | 'buildNumber'>,
): { types: string; fill: string } {
  const id = `build_${tableName(scope, claim)}`;
  return { types: `${id}_types`, fill: id };
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

/**
 * Result of a claim's statement, also when Postgres is away for less than the claim's life.
 * @throws when the signal aborts
 * @throws {OwnStatementError} when Postgres refuses the statement, or is away for it alone for a minute
 */
async function untilPostgresAnswers<Result>(statement: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries++) {
    if (signal.reason instanceof ClaimLostError) throw signal.reason;
    try {
      return await statement();
    } catch (error) {
      if (signal.aborted) throw error;
      if (tries === triesMax || translateDatabaseError(error) === undefined)
        throw new OwnStatementError('Postgres refused a statement of a build', { cause: error });
      await wait(againMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Soon rather than by the sweep, which removes what is left now. */
async function removeTable({ store, logger }: Pick<BuildParts, 'store' | 'logger'>, name: string): Promise<void> {
  await store
    .drop(name)
    .catch((err: unknown) => logger.info({ err, table: name }, 'a table of a build is left to the sweep'));
}
