import type { Clock } from '@millrace/runtime/clock.ts';
import type { EngineName, Retry } from '../stream/retry.ts';

/**
 * Milliseconds after the read of its persons in which a batch may still send rows. Far below the age at which overrides
 * are squashed: a row that comes later than that would carry its old person for ever (`squash/squash-overrides.ts`).
 */
export const personsAgeMaxMs = 900_000;

/** One round of work with persons. */
export interface PersonsRound {
  /** From 0. From 1 on the rows of the round before may be stored, or some of them. */
  round: number;
  /** Call it right before persons are read. */
  reading: () => void;
  /** Tries for ever like any other, but not with persons that are too old. */
  retry: Retry;
}

class PersonsTooOldError extends Error {
  override name = 'PersonsTooOldError';
}

const tooOld = Symbol('too old');
const tooOldText = 'what was read of persons is too old to be stored';

/** Runs work that reads persons and stores rows with them. Starts it again when an engine was away for too long in between. */
export async function withFreshPersons<T>(
  { clock, retry }: { clock: Clock; retry: Retry },
  work: (round: PersonsRound) => Promise<T>,
): Promise<T> {
  for (let round = 0; ; round++) {
    let readMs = clock.nowMs();
    const guarded: Retry = async <R>(engine: EngineName, attempt: Parameters<typeof retry<R>>[1]) => {
      const isTooOld = (): boolean => clock.nowMs() - readMs > personsAgeMaxMs;
      const result = await retry<R | typeof tooOld>(engine, async (count, alive) => {
        if (isTooOld()) return tooOld;
        return await attempt(count, () => {
          // The next try ends it.
          if (isTooOld()) throw new PersonsTooOldError(tooOldText);
          alive();
        });
      });
      if (result === tooOld) throw new PersonsTooOldError(tooOldText);
      return result;
    };
    try {
      return await work({ round, reading: () => void (readMs = clock.nowMs()), retry: guarded });
    } catch (error) {
      if (!(error instanceof PersonsTooOldError)) throw error;
    }
  }
}
