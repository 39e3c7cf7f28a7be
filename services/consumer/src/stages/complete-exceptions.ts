import type { Release } from '@millrace/symbolication/exceptions/exception-releases.ts';
import { droppingRule, type SuppressionRules } from '@millrace/suppression/suppression-rules.ts';
import { endEvent, type EventBatch } from './event-batch.ts';
import { BatchFrames } from '../exceptions/batch-frames.ts';
import { completeDraft } from '../exceptions/complete-draft.ts';
import { readExceptionDraft, type ExceptionDraft } from '../exceptions/exception-draft.ts';
import type { StoredFrame } from '../exceptions/frame-store.ts';
import { inTurns } from '../exceptions/in-turns.ts';
import { projectSymbols } from '../exceptions/project-symbols.ts';
import { releaseKey, type ProjectRelease } from '../exceptions/release-source.ts';
import { fingerprintKey, type LinkedIssue, type SeenException } from '../exceptions/issues/issue-source.ts';
import { seenException } from '../exceptions/issues/seen-exception.ts';
import { loadSymbols, namesOfAll, type BatchSymbols } from '../exceptions/symbols/symbol-source.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { drop, unexpectedError } from '../events/outcome.ts';
import { StreamStoppedError } from '../stream/retry.ts';

/** An exception that no rule drops. */
interface Completed {
  draft: EventDraft;
  /** Null: it has no issue. */
  seen: SeenException | null;
}

/**
 * Makes the stacks of exceptions readable, drops what the rules of their project say, and links the others to their issues (contract/orgs-errors
 * 5.2). Other streams have the slot while symbols are loaded: a long load holds up this stream alone, and batches with an event that this one is
 * about to store. Symbols that do not come in time are done without. Answers the events that stay.
 * @throws {StreamStoppedError} when the stream must be left: its next owner does the batch again
 */
export async function completeExceptions(work: EventBatch, drafts: readonly EventDraft[]): Promise<EventDraft[]> {
  const { batch, context } = work;
  if (drafts.length === 0) return [];
  const { exceptions: parts, retry } = context;
  const read: ExceptionDraft[] = [];
  await inTurns(drafts, (draft) => unlessFaulty(work, draft, () => void read.push(readExceptionDraft(draft))));
  const symbols = await batch.withoutSlot(() => symbolsOf(work, read));
  if (batch.signal.aborted) throw new StreamStoppedError('the stream was given up');
  const releases = await retry('postgres', () => parts.releases.find(read.map(namedRelease)));
  const rules = await retry('postgres', () => parts.rules.load(new Set(drafts.map(({ project }) => project.id))));

  const completed: Completed[] = [];
  const frames = new BatchFrames(parts.frames);
  let suppressed = 0;
  await inTurns(read, (one) =>
    unlessFaulty(work, one.draft, () => {
      const { draft } = one;
      const found = resolveDraft(one, symbols, releases.get(releaseKey(namedRelease(one))) ?? []);
      const ruleId = droppingRule(rules.get(draft.project.id) ?? noRules, {
        uuid: draft.head.uuid,
        properties: draft.properties.values,
      });
      if (ruleId !== null) {
        suppressed++;
        work.hits.push({ draft, ruleId });
        return endEvent(work, draft.position, { draft, outcome: drop('suppressed'), step });
      }
      for (const frame of found) frames.add(frame);
      const seen = seenException(draft, one.sent.length > 0, ({ raw_id: id }) => releaseOf(found, symbols, id));
      completed.push({ draft, seen });
    }),
  );
  const issues = await retry('postgres', () => parts.issues.see(completed.flatMap(({ seen }) => seen ?? [])));
  const staying = completed.filter((one) => linkIssue(work, one, issues.issues));
  await retry('postgres', () => parts.frames.write(frames.all));
  parts.onEnd({
    completed: staying.length,
    suppressed: suppressed + completed.length - staying.length,
    lateSets: symbols.late.length,
    newIssues: issues.made,
    regressedIssues: issues.regressed,
  });
  return staying.map(({ draft }) => draft);
}

/** Writes the issue of an event into it; answers whether the event stays. */
function linkIssue(work: EventBatch, { draft, seen }: Completed, issues: ReadonlyMap<string, LinkedIssue>): boolean {
  const issue = seen === null ? undefined : issues.get(fingerprintKey(seen));
  if (issue === undefined) return true;
  if (issue.isSuppressed) endEvent(work, draft.position, { draft, outcome: drop('suppressed'), step });
  else draft.properties.replace('$exception_issue_id', issue.id);
  return !issue.isSuppressed;
}

/** A fault at one event makes it a dead letter: thrown further it would end the process, again and again. */
function unlessFaulty(work: EventBatch, draft: EventDraft, run: () => void): void {
  try {
    run();
  } catch (error) {
    endEvent(work, draft.position, { draft, outcome: unexpectedError(error), step });
  }
}

async function symbolsOf({ batch, context }: EventBatch, read: readonly ExceptionDraft[]): Promise<BatchSymbols> {
  const { exceptions: parts, retry } = context;
  const wanted = read.flatMap(({ draft, references }) =>
    references.map((reference) => ({ projectId: draft.project.id, reference })),
  );
  const found = await retry('postgres', () => parts.sets.find(namesOfAll(wanted)));
  const signal = AbortSignal.any([batch.signal, AbortSignal.timeout(leftMs(batch, context))]);
  const symbols = await loadSymbols(wanted, { ...parts, found }, signal);
  await retry('postgres', () => parts.sets.record(symbols));
  return symbols;
}

/** The time counts from when the oldest event came: it may have waited behind another batch. One that comes late, after an outage, gets a part of it. */
function leftMs({ records }: EventBatch['batch'], { clock, exceptions }: EventBatch['context']): number {
  const { deadlineMs } = exceptions;
  const now = clock.nowMs();
  return Math.min(deadlineMs, Math.max(deadlineMs - now + (records[0]?.appendedAtMs ?? now), leastMs));
}

/** Maps that were compiled before are read in a part of it. */
const leastMs = 1_000;

const namedRelease = ({ draft, release }: ExceptionDraft): ProjectRelease => ({
  ...release,
  projectId: draft.project.id,
});

/** Writes the exceptions of an event into it; answers the records of its frames. */
function resolveDraft(one: ExceptionDraft, symbols: BatchSymbols, ofEvent: readonly Release[]): StoredFrame[] {
  const { find, releases, stored } = projectSymbols(symbols, one.draft.project.id);
  return completeDraft(one, find, () => [...releases, ...ofEvent]).map(stored);
}

/** The release of the map that the frame with this id was looked for in. */
function releaseOf(frames: readonly StoredFrame[], symbols: BatchSymbols, rawId: string): Release | null {
  const { projectId, record } = frames.findLast(({ record: { contents } }) => contents.raw_id === rawId) ?? {};
  if (projectId === undefined || !record?.reference) return null;
  return symbols.find(projectId, record.reference).set?.release ?? null;
}

const step = 'complete-exceptions';
const noRules: SuppressionRules = { rules: [], broken: [] };
