import { warn, type EventDraft } from '../events/event-draft.ts';
import { typeText, type GroupTypeKey } from '../groups/group-types.ts';
import type { EventBatch } from './event-batch.ts';

/**
 * Learns the names and the JSON types of the events' properties, and of those of their persons and groups (contract/decisions 74). An
 * event that came before is learned again, which changes no type.
 */
export async function learnDefinitions(work: EventBatch, drafts: readonly EventDraft[]): Promise<void> {
  const { definitions, groupTypes, retry } = work.context;
  const described: { key: GroupTypeKey; set: Readonly<Record<string, unknown>> }[] = [];
  for (const draft of drafts) {
    if (definitions.learn(draft)) warn(draft, 'definition_limit_exceeded', { pipelineStep: 'learn-definitions' });
    if (draft.groupSet !== null)
      described.push({ key: { teamId: draft.project.id, type: draft.groupSet.type }, set: draft.groupSet.set });
  }
  if (described.length === 0) return;
  const indexes = await retry('postgres', () => groupTypes.load(described.map(({ key }) => key)));
  for (const { key, set } of described) {
    const index = indexes.get(typeText(key));
    if (index !== undefined) definitions.learnGroup(key.teamId, index, set);
  }
}

/** Resolves when what the batch has learned of new names and of open types is in Postgres. */
export function writeDefinitions({ context: { definitions, retry } }: EventBatch): Promise<void> {
  return definitions.written(retry);
}
