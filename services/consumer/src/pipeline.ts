import type { EventDraft } from './events/event-draft.ts';
import { processWarnings } from './stages/process-warnings.ts';
import type { BatchContext, BatchReport } from './stages/batch-context.ts';
import { beginEvents, reportOf, slicesOf, type EventBatch } from './stages/event-batch.ts';
import { decodeEntries } from './stages/decode-entries.ts';
import { encodeRows } from './stages/encode-rows.ts';
import { learnDefinitions, markIncomplete, writeDefinitions } from './stages/learn-definitions.ts';
import { enrichExceptions } from './stages/enrich-exceptions.ts';
import { openBatch } from './stages/open-batch.ts';
import { runSteps } from './stages/run-steps.ts';
import { leaveOut, siftDuplicates } from './stages/sift-duplicates.ts';
import { storeEvents } from './stages/store-events.ts';
import type { Batch } from './stream/batch.ts';

/**
 * The consumer on one screen: a batch of records becomes rows, stage by stage. A stage sees the batch as the stages before it left it;
 * the functions below have their order, by lane. In lane exceptions encodeRows comes after enrichExceptions, which changes properties.
 *
 * | Stage             | Changes                                                                   | Waits for                |
 * | ----------------- | ------------------------------------------------------------------------- | ------------------------ |
 * | openBatch         | records become entries; what is no bundle is a dead letter                |                          |
 * | decodeEntries     | entries become drafts; what is no event is a dead letter                  |                          |
 * | runSteps          | each draft, by the list of its own steps; some end: dropped, dead letter  | Postgres: their projects |
 * | learnDefinitions  | nothing of the batch: names and types of properties are learned in memory | Postgres: group types; names of projects that this process meets first, and ClickHouse whether they have events |
 * | encodeRows        | drafts become bytes of rows, and their properties are forgotten           | Postgres: group types    |
 * | siftDuplicates    | drafts that came before are left out                                      | ClickHouse, seldom; a batch that is about to store the same, without a slot |
 * | enrichExceptions  | properties of exceptions, from elsewhere, even of those that leave for `overflow` as they came | without a slot |
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
  return beginEvents(batch, context, lane === 'exceptions' && context.enrichment !== null ? exceptions : analytics);
}

/** Lanes main, overflow and historical. Slice by slice, so that what the steps make of an event is garbage before it was copied once. */
async function analytics(work: EventBatch): Promise<BatchReport> {
  for await (const entries of slicesOf(openBatch(work))) {
    const drafts = await runSteps(work, decodeEntries(work, entries));
    await learnDefinitions(work, drafts);
    work.alive.push(...(await encodeRows(work, drafts)));
  }
  work.kept = await siftDuplicates(work);
  return stored(work);
}

/** Exceptions are few and may wait: what came before is not completed once more. */
async function exceptions(work: EventBatch): Promise<BatchReport> {
  for await (const entries of slicesOf(openBatch(work))) {
    const drafts = await runSteps(work, decodeEntries(work, entries));
    // Before duplicates go: what a crash has stored and not learned is learned when it comes again.
    await learnDefinitions(work, drafts);
    work.alive.push(...drafts);
  }
  const fresh = await siftDuplicates(work);
  await enrichExceptions(work, fresh);
  const kept: EventDraft[] = [];
  for await (const drafts of slicesOf(fresh)) kept.push(...(await encodeRows(work, drafts)));
  work.kept = kept;
  leaveOut(work, fresh);
  return stored(work);
}

async function stored(work: EventBatch): Promise<BatchReport> {
  const [counts] = await Promise.all([storeEvents(work), writeDefinitions(work)]);
  await markIncomplete(work);
  return reportOf(work, counts);
}
