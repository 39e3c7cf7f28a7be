import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Context } from '../../context.ts';
import type { ExecutedQuery } from '../../queries/execute/execute-query.ts';
import { outcomeOf } from '../../queries/execute/run-outcome.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

interface RecordedQuery {
  auth: ProjectAccess;
  context: Pick<Context, 'clock' | 'runRecords'>;
  signal: AbortSignal;
  clientQueryId: string | null;
}

/**
 * Does the work of a query that is not saved, and records its outcome as those of runs of endpoints (contract/endpoints 7,
 * 10): a request that is refused `before` anything is run, a failure, or the rows.
 * @throws what the work throws
 */
export async function recordQuery<Good>(
  { auth, context, signal, clientQueryId }: RecordedQuery,
  before: () => Promise<Good>,
  execute: (good: Good, executionId: string) => Promise<ExecutedQuery>,
): Promise<{ good: Good; executed: ExecutedQuery }> {
  const startedAtMs = context.clock.nowMs();
  const begun = performance.now();
  const executionId = uuidV7(startedAtMs);
  const facts = {
    teamId: auth.project.id,
    endpointId: null,
    name: '',
    version: null,
    executionId,
    startedAtMs,
    keyId: auth.caller.keyId,
    clientQueryId,
  };
  const durationMs = (): number => performance.now() - begun;
  let isGood = false;
  try {
    const good = await before();
    isGood = true;
    const executed = await execute(good, executionId);
    context.runRecords.add({
      ...facts,
      outcome: {
        kind: 'succeeded',
        path: 'inline',
        cache: 'miss',
        durationMs: durationMs(),
        rows: executed.result.rowCount,
        read: executed.read,
      },
    });
    return { good, executed };
  } catch (error) {
    context.runRecords.add({
      ...facts,
      outcome: outcomeOf(error, { isGood, isCancelled: signal.aborted, isSaved: false, durationMs: durationMs() }),
    });
    throw error;
  }
}
