import type { EventDraft } from './events/event-draft.ts';
import { processWarnings } from './stages/process-warnings.ts';
import type { BatchContext, BatchReport } from './stages/batch-context.ts';
import { beginEvents, reportOf, slicesOf, type EventBatch } from './stages/event-batch.ts';
import { decodeEntries } from './stages/decode-entries.ts';
import { encodeRows } from './stages/encode-rows.ts';
import { learnDefinitions, markIncomplete, writeDefinitions } from './stages/learn-definitions.ts';
import { completeExceptions } from './stages/complete-exceptions.ts';
import { countHits } from './stages/count-hits.ts';
import { openBatch } from './stages/open-batch.ts';
import { runSteps } from './stages/run-steps.ts';
import { leaveOut, siftDuplicates } from './stages/sift-duplicates.ts';
import { storeEvents } from './stages/store-events.ts';
import type { Batch } from './stream/batch.ts';

/**
 * The consumer on one screen: a batch of records becomes rows, stage by stage. A stage sees the batch as the stages before it left it;
 * the functions below have their order, by lane. In lane exceptions duplicates go first, so that none is completed once more.
 *
 * | Stage             | Changes                                                                   | Waits for                |
 * | ----------------- | ------------------------------------------------------------------------- | ------------------------ |
 * | openBatch         | records become entries; what is no bundle is a dead letter                |                          |
 * | decodeEntries     | entries become drafts; what is no event is a dead letter                  |                          |
 * | runSteps          | each draft, by the list of its own steps; some end: dropped, dead letter  | Postgres: their projects |
 * | completeExceptions | exceptions: stacks become readable, some are dropped by rules of their project, the others have an issue; those that leave for `overflow` leave as they came | Postgres; symbols, without a slot |
 * | learnDefinitions  | nothing of the batch: names and types of properties are learned in memory | Postgres: group types; names of projects that this process meets first, and ClickHouse whether they have events |
 * | encodeRows        | drafts become bytes of rows, and their properties are forgotten           | Postgres: group types    |
 * | siftDuplicates    | drafts that came before are left out                                      | ClickHouse, seldom; a batch that is about to store the same, without a slot |
 * | countHits         | nothing of the batch: what rules dropped is counted                       | Postgres, seldom |
 * | storeEvents       | events beyond their project's share leave for `overflow`; persons and groups are brought up to date, everything is stored | Postgres, ClickHouse |
 * | writeDefinitions  | beside storeEvents: new names, and values of properties without a type, are stored | Postgres |
 * | markIncomplete    | projects whose names came too fast are marked                             | Postgres, seldom |
 * | processWarnings   | lane warnings has this stage alone: its rows are stored                   | ClickHouse               |
 *
 * Answers when everything that the batch says is durable; failures of an engine are retried inside, for ever. To do a batch again is
 * harmless at every point (contract/capture 6.2).
 * @throws {BatchTooLargeError} when it must be divided; each part is then a batch that may have had effects.
 */
export function processBatch(batch: Batch, context: BatchContext): Promise<BatchReport> {
  const { lane } = batch.stream;
  if (lane === 'warnings') return processWarnings(batch, context);
  return beginEvents(batch, context, lane === 'exceptions' ? exceptions : analytics);
}

/** Lanes main, overflow and historical. Slice by slice, so that what the steps make of an event is garbage before it was copied once. */
async function analytics(work: EventBatch): Promise<BatchReport> {
  for await (const entries of slicesOf(openBatch(work))) {
    const drafts = await completedOf(work, await runSteps(work, decodeEntries(work, entries)));
    await learnDefinitions(work, drafts);
    work.alive.push(...(await encodeRows(work, drafts)));
  }
  work.kept = await siftDuplicates(work);
  return stored(work);
}

/** Exceptions are few and may wait: what came before is not completed once more. */
async function exceptions(work: EventBatch): Promise<BatchReport> {
  for await (const entries of slicesOf(openBatch(work)))
    work.alive.push(...(await runSteps(work, decodeEntries(work, entries))));
  const met = work.alive;
  const fresh = await siftDuplicates(work);
  const completed = await completeExceptions(work, fresh);
  // Duplicates too: what a crash has stored and not learned is learned when it comes again.
  const gone = new Set(fresh);
  for (const draft of completed) gone.delete(draft);
  await learnDefinitions(
    work,
    met.filter((draft) => !gone.has(draft)),
  );
  const kept: EventDraft[] = [];
  for await (const drafts of slicesOf(completed)) kept.push(...(await encodeRows(work, drafts)));
  work.kept = kept;
  leaveOut(work, fresh);
  return stored(work);
}

/** Exceptions of other lanes: old ones, and those beyond their project's share. */
async function completedOf(work: EventBatch, drafts: EventDraft[]): Promise<EventDraft[]> {
  const thrown = drafts.filter(({ eventKind }) => eventKind.lane === 'exceptions');
  if (thrown.length === 0) return drafts;
  const gone = new Set(thrown);
  for (const draft of await completeExceptions(work, thrown)) gone.delete(draft);
  return drafts.filter((draft) => !gone.has(draft));
}

async function stored(work: EventBatch): Promise<BatchReport> {
  await countHits(work);
  const [counts] = await Promise.all([storeEvents(work), writeDefinitions(work)]);
  await markIncomplete(work);
  return reportOf(work, counts);
}
