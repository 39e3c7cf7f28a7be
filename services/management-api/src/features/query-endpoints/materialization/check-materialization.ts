import { AppError } from '@millrace/http/errors/errors.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import type { Materializability } from './materializability.ts';

/** Longest wait of a request for the first build (contract/endpoints 6.1). */
export const firstBuildMsMax = 2_000;

/** Least freshness of a materialized version: a table that is built more often costs more than it saves. */
const materializedFreshnessMin = 900;

/**
 * Why a version with this query and freshness cannot be materialized here; null: it can.
 * @throws {AppError} as `QueryCompiler.preview` does
 */
export async function reasonAgainst(
  {
    builds,
    materializability,
  }: { builds: { refusal: string | null }; materializability: Pick<Materializability, 'ofQuery'> },
  {
    query,
    freshnessSeconds,
    organizationId,
  }: { query: CheckedQuery; freshnessSeconds: number; organizationId: string },
): Promise<string | null> {
  if (builds.refusal !== null) return builds.refusal;
  if (freshnessSeconds < materializedFreshnessMin)
    return `data_freshness_seconds must be at least ${materializedFreshnessMin}`;
  return await materializability.ofQuery(query, organizationId);
}

/** The 400 for a version that cannot be materialized. */
export function notMaterializable(reason: string): AppError {
  return new AppError('invalid_input', { attr: 'is_materialized', detail: `Cannot materialize: ${reason}.` });
}

/** @throws {AppError} 400 for a freshness that a materialized version cannot have */
export function refuseShortFreshness(seconds: number | null | undefined): void {
  if (typeof seconds !== 'number' || seconds >= materializedFreshnessMin) return;
  throw new AppError('invalid_input', {
    attr: 'data_freshness_seconds',
    detail: `data_freshness_seconds of a materialized version must be at least ${materializedFreshnessMin}. Send is_materialized false with it.`,
  });
}
