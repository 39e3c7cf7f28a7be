import type { Clock } from '@millrace/runtime/clock.ts';
import type { EngineName, Retry } from '../stream/retry.ts';

/**
 * So long after its persons were read may a batch still send rows. Far below the age at which overrides are folded: a row
 * that comes later than the folding of its override would carry its old person for ever (`overrides/fold-overrides.ts`).
 */
export const personsAgeMaxMs = 900_000;

/** One round of work with persons. */
export interface PersonsRound {
  /** From 0. From 1 on the rows of the round before may be stored, or some of them. */
  round: number;
  /** To be called right before persons are read. */
  reading: () => void;
  /** Tries for ever like any other, but not with persons that are too old. */
  retry: Retry;
}

class PersonsTooOldError extends Error {
  override name = 'PersonsTooOldError';
}

const tooOld = Symbol('too old');

/** Does work that reads persons and stores rows which name them; again from the start when an engine was away for too long in between. */
export async function withFreshPersons<T>({ clock, retry }: { clock: Clock; retry: Retry }, work: (round: PersonsRound) => Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    let readMs = clock.nowMs();
    const guarded: Retry = async <R>(engine: EngineName, attempt: (count: number) => Promise<R>) => {
      const result = await retry<R | typeof tooOld>(engine, async (count) => (clock.nowMs() - readMs > personsAgeMaxMs ? tooOld : await attempt(count)));
      if (result === tooOld) throw new PersonsTooOldError('what was read of persons is too old to be stored');
      return result;
    };
    try {
      return await work({ round, reading: () => void (readMs = clock.nowMs()), retry: guarded });
    } catch (error) {
      if (!(error instanceof PersonsTooOldError)) throw error;
    }
  }
}
