import { quotaResources, type QuotaResource } from '@millrace/contracts/project-limits.ts';

const surveyEvents: ReadonlySet<string> = new Set(['survey shown', 'survey dismissed', 'survey sent']);

const plain: readonly QuotaResource[] = ['events'];
const exceptions: readonly QuotaResource[] = ['events', 'exceptions'];
const surveys: readonly QuotaResource[] = ['events', 'surveys'];
const llmEvents: readonly QuotaResource[] = ['events', 'llm_events'];
const recordings: readonly QuotaResource[] = ['recordings'];

/**
 * The quotas that an event counts for (contract/capture 1.11): `events`, and that of its kind; pieces of recordings only
 * for theirs. Events of product tours use the surveys' names and are none.
 */
export function quotaResourcesOf(event: string, properties: Readonly<Record<string, unknown>>): readonly QuotaResource[] {
  if (event === '$exception') return exceptions;
  if (event === '$snapshot' || event === '$snapshot_items') return recordings;
  if (event.startsWith('$ai_')) return llmEvents;
  if (surveyEvents.has(event) && !properties['$product_tour_id']) return surveys;
  return plain;
}

/** The quotas that were used up, among the reasons for which events were dropped; null when none was. */
export function limitedResources(reasons: Iterable<string>): QuotaResource[] | null {
  const found = new Set(reasons);
  const limited = quotaResources.filter((resource) => found.has(`${resource}_over_quota`));
  return limited.length === 0 ? null : limited;
}
