import type { ReplySink } from '@millrace/http/replies/reply.ts';
import type { RunPath } from '../../../queries/log/run-record.ts';
import type { StreamedRows } from '../../../queries/stream/stream-rows.ts';
import type { Context } from '../context.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';
import type { ReadTable } from './choose-table.ts';
import { fallBack, tableQueryId } from './fall-back.ts';
import { streamInsight } from './stream-insight.ts';
import { streamRun, type StreamedRun } from './stream-run.ts';

type Parts = Pick<
  Context,
  'tenantEngine' | 'projectNames' | 'resultRowsMax' | 'streamRowsMax' | 'clock' | 'brokenTables'
>;

interface StreamByPath extends Omit<StreamedRun, 'queryId' | 'ageSeconds' | 'onBegin'> {
  version: RunnableVersion;
  readTable: ReadTable | undefined;
  /** Called before each query, with its path. */
  onPath: (path: RunPath) => void;
}

/**
 * Streams the rows of the table, or of the query where there is no table, or it could not be read. After the first row a stream cannot begin
 * again. @throws {AppError} as `streamRun` does
 */
export async function streamByPath(
  parts: Parts,
  run: StreamByPath,
  sink: ReplySink,
): Promise<StreamedRows & { path: RunPath }> {
  const { version, readTable, onPath, executionId, signal } = run;
  const ofQuery = async (path: RunPath): Promise<StreamedRows & { path: RunPath }> => {
    onPath(path);
    return { ...(await streamRun(parts, run, sink)), path };
  };
  if (run.prepared.insight !== undefined) {
    onPath('inline');
    return { ...(await streamInsight(parts, run, sink)), path: 'inline' };
  }
  // Whether the table has a row is known too late.
  if (readTable === undefined || readTable.prepared.emptyMeansInline) return await ofQuery('inline');
  let hasBegun = false;
  try {
    onPath('materialized');
    const ofTable = {
      ...run,
      prepared: readTable.prepared,
      ageSeconds: Math.max(0, Math.floor((parts.clock.nowMs() - readTable.table.builtAtMs) / 1000)),
      queryId: tableQueryId(executionId),
      onBegin: () => {
        hasBegun = true;
      },
    };
    return { ...(await streamRun(parts, ofTable, sink)), path: 'materialized' };
  } catch (error) {
    if (hasBegun) throw error;
    fallBack(error, { readTable, version, signal }, parts.brokenTables);
    return await ofQuery('materialized_fallback');
  }
}
