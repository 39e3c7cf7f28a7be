import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { encodeBundle, type BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { openRecords } from '../events/open-records.ts';
import { processEvent, readEntry } from '../steps/process-event.ts';
import type { Project, ProjectLookup } from '../projects/project-cache.ts';
import { readEvent } from '../steps/read-event.ts';
import { createLetterWriter } from '../events/letters.ts';
import type { EntryRange } from '../events/entry-range.ts';

// Input of the pure tests of this service.

export const testProject: Project = {
  id: 7,
  token: 'phc_test',
  anonymizeIps: false,
  allowDangerousMerges: true,
  timezone: 'UTC',
  hasNeighbours: true,
};

/** In the order in which capture prints it. */
export const testHead: CapturedEvent = {
  uuid: '0190f3a0-0000-7000-8000-000000000001',
  event: 'clicked',
  distinctId: 'user-1',
  timestamp: '2026-05-04T10:00:00.123456Z',
  token: 'phc_test',
  projectId: 7,
  receivedAt: '2026-05-04T10:00:01.000000Z',
};

/** An entry as capture writes it. */
export function testEntry(head: Partial<CapturedEvent> = {}, body = '{}'): BundleEntry {
  return { head: Buffer.from(JSON.stringify({ ...testHead, ...head })), body: Buffer.from(body) };
}

/** The entry as it lies in the log, alone in its record. */
export function entryRange(entry: BundleEntry, offset = 1n): EntryRange {
  const record = { offset, appendedAtMs: 0, payload: encodeBundle([entry]) };
  return openRecords([record], createLetterWriter({ lane: 'main', partition: 0, writer: 'w' }, ''))
    .entries[0] as EntryRange;
}

/** A draft that was read, with its project; no other step has run. */
export function testDraft(head: Partial<CapturedEvent> = {}, body = '{}', project: Project = testProject): EventDraft {
  const draft = readEvent(entryRange(testEntry(head, body)));
  if ('kind' in draft) throw new Error(`unreadable: ${JSON.stringify(draft)}`);
  draft.project = project;
  return draft;
}

/** Knows one project, by id and token. */
export function lookupOf(project: Project): ProjectLookup {
  return {
    byId: (id) => (id === project.id ? project : null),
    byToken: (token) => (token === project.token ? project : null),
  };
}

/** A draft after all of its own steps. */
export function processedDraft(
  head: Partial<CapturedEvent> = {},
  body = '{}',
  project: Project = testProject,
): EventDraft {
  const { draft, outcome } = processEvent(readEntry(entryRange(testEntry(head, body))), lookupOf(project));
  if (draft === null || outcome.kind !== 'ok') throw new Error(`not processed: ${JSON.stringify(outcome)}`);
  return draft;
}
