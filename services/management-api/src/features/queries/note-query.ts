import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Context } from '../../context.ts';
import type { Computed } from '../../queries/execute/compute-result.ts';
import { outcomeOf } from '../../queries/execute/run-outcome.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

interface NotedQuery {
  auth: ProjectAccess;
  context: Pick<Context, 'clock' | 'runRecords'>;
  signal: AbortSignal;
  clientQueryId: string | null;
}

/**
 * Does the work of a query that is not saved, and notes what became of it as runs of endpoints are noted (contract/endpoints 7,
 * 10): a request that is refused `before` anything is run, a failure, or the rows.
 * @throws what the work throws
 */
export async function noteQuery<Good>(
  { auth, context, signal, clientQueryId }: NotedQuery,
  before: () => Promise<Good>,
  compute: (good: Good, executionId: string) => Promise<Computed>,
): Promise<{ good: Good; computed: Computed }> {
  const startedAtMs = context.clock.nowMs();
  const begun = performance.now();
  const executionId = uuidV7(startedAtMs);
  const facts = { teamId: auth.project.id, endpointId: null, name: '', version: null, executionId, startedAtMs, keyId: auth.caller.keyId, clientQueryId };
  const durationMs = (): number => performance.now() - begun;
  let isGood = false;
  try {
    const good = await before();
    isGood = true;
    const computed = await compute(good, executionId);
    context.runRecords.add({ ...facts, outcome: { kind: 'succeeded', cache: 'miss', durationMs: durationMs(), rows: computed.result.rowCount, read: computed.read } });
    return { good, computed };
  } catch (error) {
    context.runRecords.add({ ...facts, outcome: outcomeOf(error, { isGood, isCancelled: signal.aborted, isSaved: false, durationMs: durationMs() }) });
    throw error;
  }
}
