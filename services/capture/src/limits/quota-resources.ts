import { eventKind } from '@millrace/contracts/event-kinds.ts';
import { quotaResources, type QuotaResource } from '@millrace/contracts/project-limits.ts';

const tourQuotas: readonly QuotaResource[] = ['events'];

/**
 * The quotas that an event counts for (contract/capture 1.11): `events`, and that of its kind; pieces of recordings only
 * for theirs. Events of product tours use the surveys' names and are none.
 */
export function quotaResourcesOf(
  event: string,
  properties: Readonly<Record<string, unknown>>,
): readonly QuotaResource[] {
  const { quotas, isOfSurvey } = eventKind(event);
  return isOfSurvey && properties['$product_tour_id'] ? tourQuotas : quotas;
}

/** The quotas that were used up, among the reasons for which events were dropped; null when none was. */
export function limitedResources(reasons: Iterable<string>): QuotaResource[] | null {
  const found = new Set(reasons);
  const limited = quotaResources.filter((resource) => found.has(`${resource}_over_quota`));
  return limited.length === 0 ? null : limited;
}
