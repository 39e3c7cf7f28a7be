import { AppError } from '@millrace/http/errors/errors.ts';
import { failureOf } from '../queries/execute/tenant-engine.ts';
import type { BuildLimits } from './build-limits.ts';

/** A build that stores more than it may. */
export class TooLargeBuildError extends Error {
  override name = 'TooLargeBuildError';
  readonly of: 'rows' | 'bytes';
  constructor(of: 'rows' | 'bytes') {
    super(`the build stores too many ${of}`);
    this.of = of;
  }
}

/** A statement of ours failed, which is not the query: its author can repair nothing. `cause` is what failed. */
export class OwnStatementError extends Error {
  override name = 'OwnStatementError';
}

/** Why a build failed. */
export interface BuildFailure {
  /** A sentence for the author of the query. */
  text: string;
  /** The query is not to blame, so the build is tried again soon. */
  isOurs: boolean;
}

/** The failure as the author of the query is told, with the figure of a limit. Pure. */
export function describeFailure(error: unknown, limits: BuildLimits): BuildFailure {
  if (error instanceof TooLargeBuildError) return { text: tooLargeText(error.of, limits), isOurs: false };
  const failure = error instanceof OwnStatementError ? ownFailure(error) : failureOf(error);
  const text = limitTexts[failure.code]?.(limits);
  if (text !== undefined) return { text, isOurs: false };
  // The thread that compiles is busy with others when it says `throttled`.
  const isOurs = failure.status >= 500 || failure.code === 'throttled';
  return { text: failure.message, isOurs };
}

/** An engine that is away says so; other words of the engine about a statement of ours say nothing to an author. */
function ownFailure(error: OwnStatementError): AppError {
  const failure = failureOf(error.cause);
  return failure.status >= 500 ? failure : new AppError('error', { cause: error });
}

const limitTexts: Partial<Record<AppError['code'], (limits: BuildLimits) => string>> = {
  query_timeout: ({ secondsMax }) =>
    `The build took longer than ${shown(secondsMax)} seconds, the most that a build may take.`,
  query_memory_limit: ({ memoryBytesMax }) =>
    `The build needed more than ${shown(memoryBytesMax)} bytes of memory, the most that a build may use.`,
  query_reads_too_much: ({ readRowsMax, readBytesMax }) =>
    `The build would read more than ${shown(readRowsMax)} rows or ${shown(readBytesMax)} bytes, the most that a build may read.`,
};

function tooLargeText(of: 'rows' | 'bytes', { rowsMax, bytesMax }: BuildLimits): string {
  const figure = of === 'rows' ? `${shown(rowsMax)} rows` : `${shown(bytesMax)} bytes`;
  return (
    `The table would have more than ${figure}, the most that a version may store. ` +
    'It holds a row for each combination of the values that variables are compared with: compare with fewer or coarser columns.'
  );
}

const shown = (count: number): string => count.toLocaleString('en-US');
