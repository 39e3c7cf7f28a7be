import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { CallerStore } from './caller-store.ts';
import type { FoundCaller } from './caller.ts';

/** Records that the caller's key was used just now. Never rejects: a call does not fail because its time cannot be recorded. */
export type RecordUse = (found: FoundCaller) => Promise<void>;

const everyMs = 3_600_000;

/** Writes `last_used_at` at most once an hour, whichever process the key is used with (contract/orgs-errors 1.2). */
export function createRecordUse(
  store: Pick<CallerStore, 'recordUse'>,
  clock: Clock,
  logger: Pick<Logger, 'warn'>,
): RecordUse {
  return async (found) => {
    const nowMs = clock.nowMs();
    if (found.lastUsedAtMs !== null && found.lastUsedAtMs >= nowMs - everyMs) return;
    found.lastUsedAtMs = nowMs; // the cached caller need not be recorded again
    try {
      await store.recordUse(found.caller.keyId, nowMs, nowMs - everyMs);
    } catch (error) {
      logger.warn({ err: error, keyId: found.caller.keyId }, 'the last use of a key could not be recorded');
    }
  };
}
