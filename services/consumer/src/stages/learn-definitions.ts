import { warn, type EventDraft } from '../events/event-draft.ts';
import type { Missed } from '../definitions/project-definitions.ts';
import { typeText, type GroupTypeKey } from '../groups/group-types.ts';
import type { EventBatch } from './event-batch.ts';

/**
 * Learns the names and the JSON types of the events' properties, and of those of their persons and groups (contract/decisions 74). An
 * event that came before is learned again, which changes no type.
 */
export async function learnDefinitions(work: EventBatch, drafts: readonly EventDraft[]): Promise<void> {
  const { definitions, groupTypes, retry } = work.context;
  const read = (): Promise<void> =>
    definitions.read(
      drafts.map(({ project }) => project.id),
      retry,
    );
  const described: { draft: EventDraft; key: GroupTypeKey; set: Readonly<Record<string, unknown>> }[] = [];
  for (const draft of drafts) {
    let learned = definitions.learn(draft);
    for (; learned === 'unread'; learned = definitions.learn(draft)) await read();
    if (learned !== null) reportMissed(work, draft, learned);
    if (draft.groupSet !== null)
      described.push({ draft, key: { teamId: draft.project.id, type: draft.groupSet.type }, set: draft.groupSet.set });
  }
  if (described.length === 0) return;
  const indexes = await retry('postgres', () => groupTypes.load(described.map(({ key }) => key)));
  for (const { draft, key, set } of described) {
    const index = indexes.get(typeText(key));
    if (index === undefined) continue;
    let learned = definitions.learnGroup(key.teamId, index, set);
    for (; learned === 'unread'; learned = definitions.learnGroup(key.teamId, index, set)) await read();
    if (learned !== null) reportMissed(work, draft, learned);
  }
}

function reportMissed({ context, incomplete }: EventBatch, draft: EventDraft, missed: Missed): void {
  context.onMissedNames(missed);
  if (missed.leftOut + missed.pairs > 0)
    warn(draft, 'definition_limit_exceeded', { pipelineStep: 'learn-definitions' });
  if (missed.putOff + missed.skipped > 0) incomplete.add(draft.project.id);
}

/** Resolves when what the batch has learned of new names and of open types is in Postgres. */
export function writeDefinitions({ context: { definitions, retry } }: EventBatch): Promise<void> {
  return definitions.written(retry);
}

/** Says which projects have names that were put off; must run when the events of the batch are stored. */
export function markIncomplete({ context: { definitions, retry }, incomplete }: EventBatch): Promise<void> {
  return definitions.markIncomplete(incomplete, retry);
}
