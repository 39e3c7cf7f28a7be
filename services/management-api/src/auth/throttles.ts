import { AppError } from '@millrace/http/errors/errors.ts';
import type { Guarded } from '@millrace/http/define-route.ts';
import type { ProjectAccess } from './granted-access.ts';

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
  /**
   * Counts a run once it is known what answers it: `materialized` has rates of its own, and `general` are those of the key's other calls
   * (contract/endpoints 4.6). `take` has counted it before against both together. @throws as `take` does
   */
  takeRun(caller: RunCaller, kind: 'general' | 'materialized'): Promise<void>;
}

type RunCaller = Pick<ProjectAccess, 'caller' | 'project' | 'runToken'>;

export interface ThrottleOptions {
  counter: ThrottleCounter;
  /** `general` and `materialized` for the same windows. */
  rates: Record<
    'general' | 'symbolSets' | 'materialized' | 'textRepr' | 'summarization' | 'translation',
    readonly Rate[]
  >;
  /** Calls about these projects are not counted. */
  exemptProjects: readonly number[];
}

/** Every key may do everything as often as it likes. */
export const noThrottles: Throttles = { take: () => Promise.resolve(), takeRun: () => Promise.resolve() };

/** Limits how often a key may call (contract/orgs-errors 1.6); calls that were refused before do not count. */
export function createThrottles({ counter, rates, exemptProjects }: ThrottleOptions): Throttles {
  const exempt = new Set(exemptProjects);
  const ratesOf = {
    general: rates.general,
    symbol_sets: rates.symbolSets,
    text_repr: rates.textRepr,
    summarization: rates.summarization,
    translation: rates.translation,
    materialized: rates.materialized,
    runs: rates.general.map((rate, at) => ({ ...rate, limit: rate.limit + (rates.materialized[at]?.limit ?? 0) })),
  };
  async function take(name: string, projectId: number | null, kind: keyof typeof ratesOf): Promise<void> {
    if (projectId !== null && exempt.has(projectId)) return;
    refuseUntil(await counter.take(`${kind}:${name}`, ratesOf[kind]));
  }
  return {
    take: (keyHash, projectId, kind) => take(keyHash, projectId, kind ?? 'general'),
    takeRun: ({ caller, project, runToken }, kind) => take(runToken?.id ?? caller.keyHash, project.id, kind),
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
