import type { QuotaResource } from '@millrace/contracts/project-limits.ts';

const surveyEvents: ReadonlySet<string> = new Set(['survey shown', 'survey dismissed', 'survey sent']);

const plain: readonly QuotaResource[] = ['events'];
const exceptions: readonly QuotaResource[] = ['events', 'exceptions'];
const surveys: readonly QuotaResource[] = ['events', 'surveys'];
const llmEvents: readonly QuotaResource[] = ['events', 'llm_events'];

/**
 * The quotas that an event counts for (contract/capture 1.11): `events`, and that of its kind. Events of product tours
 * use the surveys' names and are none.
 */
export function quotaResourcesOf(event: string, properties: Readonly<Record<string, unknown>>): readonly QuotaResource[] {
  if (event === '$exception') return exceptions;
  if (event.startsWith('$ai_')) return llmEvents;
  if (surveyEvents.has(event) && !properties['$product_tour_id']) return surveys;
  return plain;
}
