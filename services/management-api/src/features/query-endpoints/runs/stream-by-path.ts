import type { ReplySink } from '@millrace/http/replies/reply.ts';
import type { RunPath } from '../../../queries/log/run-record.ts';
import type { StreamedRows } from '../../../queries/stream/stream-rows.ts';
import type { Context } from '../context.ts';
import { leaveTable, type ReadTable } from './choose-table.ts';
import { streamRun, type StreamedRun } from './stream-run.ts';

type Parts = Pick<Context, 'tenantEngine' | 'projectNames' | 'streamRowsMax' | 'clock' | 'logger'>;

/**
 * Streams the rows of the table, or of the query where there is no table, or it could not be read. After the first row a stream cannot begin
 * again. @throws {AppError} as `streamRun` does
 */
export async function streamByPath(
  parts: Parts,
  { readTable, ...run }: StreamedRun & { readTable: ReadTable | undefined },
  sink: ReplySink,
): Promise<StreamedRows & { path: RunPath }> {
  // Whether the table has a row is known too late.
  if (readTable === undefined || readTable.prepared.emptyMeansInline)
    return { ...(await streamRun(parts, run, sink)), path: 'inline' };
  let hasBegun = false;
  const watched: ReplySink = {
    begin(headers, trailers) {
      hasBegun = true;
      sink.begin(headers, trailers);
    },
    write: (chunk) => sink.write(chunk),
    end: (trailers) => sink.end(trailers),
  };
  try {
    const ageSeconds = Math.max(0, Math.floor((parts.clock.nowMs() - readTable.table.builtAtMs) / 1000));
    const ofTable = { ...run, prepared: readTable.prepared, ageSeconds };
    return { ...(await streamRun(parts, ofTable, watched)), path: 'materialized' };
  } catch (error) {
    if (hasBegun) throw error;
    leaveTable(error, readTable, { signal: run.signal, logger: parts.logger });
    return { ...(await streamRun(parts, run, sink)), path: 'materialized_fallback' };
  }
}
