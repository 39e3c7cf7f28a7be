import { AppError } from '@millrace/http/errors/errors.ts';

/** Least freshness of a materialized version: a table that is built more often costs more than it saves. */
const materializedFreshnessMin = 900;

/** Why a version with this freshness cannot be materialized; null: it can. Pure. */
export const shortFreshness = (seconds: number): string | null =>
  seconds < materializedFreshnessMin
    ? `data_freshness_seconds of a materialized version must be at least ${materializedFreshnessMin}`
    : null;

/** The 400 for a version that cannot be materialized. */
export function notMaterializable(reason: string): AppError {
  return new AppError('invalid_input', { attr: 'is_materialized', detail: `Cannot materialize: ${reason}.` });
}

/** @throws {AppError} 400 for a freshness that a materialized version cannot have */
export function refuseShortFreshness(seconds: number | null | undefined): void {
  const reason = typeof seconds === 'number' ? shortFreshness(seconds) : null;
  if (reason === null) return;
  throw new AppError('invalid_input', {
    attr: 'data_freshness_seconds',
    detail: `${reason}. Send is_materialized false with it.`,
  });
}
