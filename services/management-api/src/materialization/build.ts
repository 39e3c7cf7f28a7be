import { setTimeout as wait } from 'node:timers/promises';
import { translateDatabaseError } from '../database/prisma-errors.ts';
import { describeFailure, OwnStatementError } from './build-failure.ts';
import type { ClaimedBuild } from './claim-build.ts';
import { recordFailure, switchTable } from './end-build.ts';
import { ClaimLostError } from './hold-claim.ts';
import type { BuildParts } from './making/build-parts.ts';
import { makeTable, type CompareMade, type MadeTable } from './making/make-table.ts';
import { tableName } from './table-name.ts';

/** `void`: the version was changed meanwhile, or another process has the build. `stopped`: this process stops. */
type BuildOutcome = 'completed' | 'failed' | 'void' | 'stopped';

export interface BuildEnd {
  outcome: BuildOutcome;
  seconds: number;
  rows: number;
  /** Rows that a completed build read. */
  rowsRead: number;
  /** Buckets that a completed build did again; null: all. */
  bucketsRebuilt: number | null;
  /** For a completed build that was whole and has a table of before. Runs have the new one. */
  compare: CompareMade | null;
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
  const end = (outcome: BuildOutcome, made?: MadeTable): BuildEnd => ({
    outcome,
    rows: made?.size.rows ?? 0,
    rowsRead: made?.rowsRead ?? 0,
    bucketsRebuilt: made?.bucketsRebuilt ?? null,
    compare: made?.compare ?? null,
    seconds: (performance.now() - begun) / 1000,
  });
  const described = { versionId: claim.versionId, projectId: claim.projectId, build: claim.buildNumber };
  let switches = 0;
  try {
    const made = await makeTable(parts, claim, name, signal);
    const tookSeconds = (performance.now() - begun) / 1000;
    const isOurs = await untilPostgresAnswers(() => {
      switches++;
      return switchTable(parts.pool, claim, { name, made, tookSeconds });
    }, signal);
    await parts.onStep?.('switched');
    if (isOurs) return end('completed', made);
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
