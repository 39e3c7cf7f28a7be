import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Context } from '../../context.ts';
import { outcomeOf } from '../../../../queries/execute/run-outcome.ts';
import type { StreamedRows } from '../../../../queries/stream/stream-rows.ts';
import type { ServedResult } from '../get-or-compute-result.ts';
import type { RunnableEndpoint } from '../../store/runnable-endpoint.ts';
import type { RunPath, RunRecord } from '../../../../queries/log/run-record.ts';
import type { ProjectAccess } from '../../../../auth/granted-access.ts';

interface RecordedRun {
  found: RunnableEndpoint;
  auth: ProjectAccess;
  context: Pick<Context, 'clock' | 'runRecords'>;
  signal: AbortSignal;
}

/** Version and request of a run whose request passed all checks. */
interface Good {
  version: { version: number };
  request: { clientQueryId: string | null };
}

/** Records the outcome of one run. Call exactly one of the methods; none of them waits or throws. */
export interface RunRecorder {
  executionId: string;
  /** Notes the path of the attempt that begins: a run that fails has that of its last one. */
  onPath: (path: RunPath) => void;
  refused(error: unknown): void;
  failed(good: Good, error: unknown): void;
  succeeded(good: Good, served: ServedResult): void;
  streamed(good: Good, streamed: Pick<StreamedRows, 'rows' | 'read'> & { path: RunPath }): void;
}

/** Starts the record of a run, and its clock. */
export function recordRun({ found, auth, context, signal }: RecordedRun): RunRecorder {
  const startedAtMs = context.clock.nowMs();
  const startedMs = performance.now();
  const executionId = uuidV7(startedAtMs);
  const add = (outcome: RunRecord['outcome'], good?: Good): void =>
    context.runRecords.add({
      teamId: auth.project.id,
      endpointId: found.endpoint.id,
      name: found.endpoint.name,
      version: good?.version.version ?? null,
      executionId,
      startedAtMs,
      keyId: auth.caller.keyId,
      isRunToken: auth.runToken !== undefined,
      clientQueryId: good?.request.clientQueryId ?? null,
      outcome,
    });
  let lastPath: RunPath = 'inline';
  const threw = (error: unknown, good?: Good): void => {
    const outcome = outcomeOf(error, {
      isGood: good !== undefined,
      isCancelled: signal.aborted,
      isSaved: true,
      durationMs: performance.now() - startedMs,
    });
    add(outcome.kind === 'failed' ? { ...outcome, path: lastPath } : outcome, good);
  };
  return {
    executionId,
    onPath: (path) => {
      lastPath = path;
    },
    refused: (error) => threw(error),
    failed: (good, error) => threw(error, good),
    succeeded(good, { result, isCached, path }) {
      const read = 'read' in result ? result.read : { rows: 0, bytes: 0 };
      add(
        {
          kind: 'succeeded',
          path,
          cache: isCached ? 'hit' : 'miss',
          durationMs: performance.now() - startedMs,
          rows: result.result.rowCount,
          read,
        },
        good,
      );
    },
    streamed: (good, { rows, read, path }) =>
      add({ kind: 'succeeded', path, cache: 'miss', durationMs: performance.now() - startedMs, rows, read }, good),
  };
}
