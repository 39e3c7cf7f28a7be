import { AppError } from '@millrace/http/errors/errors.ts';
import type { Guarded } from '@millrace/http/define-route.ts';

/** Maximum calls in each window, which begins with the first of them. */
export interface Rate {
  limit: number;
  windowMs: number;
}

/** Counts calls. Its two forms, in memory and in Redis, pass one suite. */
export interface ThrottleCounter {
  /**
   * Counts one call of `name` against each of the rates, when all of them allow it; else none. Returns the milliseconds
   * until all of them allow it again; 0: it was counted.
   */
  take(name: string, rates: readonly Rate[]): number | Promise<number>;
}

export interface Throttles {
  /** Counts a call of the key. @throws {AppError} throttled, with the seconds to wait */
  take(keyHash: string, projectId: number | null, kind: Guarded['throttle']): Promise<void>;
}

export interface ThrottleOptions {
  counter: ThrottleCounter;
  rates: { general: readonly Rate[]; symbolSets: readonly Rate[] };
  /** Calls about these projects are not counted. */
  exemptProjects: readonly number[];
}

/** Every key may do everything as often as it likes. */
export const noThrottles: Throttles = { take: () => Promise.resolve() };

/** Limits how often a key may call (contract/orgs-errors 1.6); calls that were refused before do not count. */
export function createThrottles({ counter, rates, exemptProjects }: ThrottleOptions): Throttles {
  const exempt = new Set(exemptProjects);
  return {
    async take(keyHash, projectId, kind) {
      if (projectId !== null && exempt.has(projectId)) return;
      const waitMs = await (kind === 'symbol_sets'
        ? counter.take(`symbol_sets:${keyHash}`, rates.symbolSets)
        : counter.take(`general:${keyHash}`, rates.general));
      refuseUntil(waitMs);
    },
  };
}

/** Goes on when there is nothing to wait for. @throws {AppError} throttled, with the seconds to wait */
export function refuseUntil(waitMs: number): void {
  if (waitMs <= 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  const unit = seconds === 1 ? 'second' : 'seconds';
  throw new AppError('throttled', {
    detail: `Request was throttled. Expected available in ${seconds} ${unit}.`,
    retryAfterS: seconds,
  });
}
