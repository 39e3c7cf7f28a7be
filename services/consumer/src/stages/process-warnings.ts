import type { CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import { openRecords } from '../events/open-records.ts';
import { rowIndexOf } from '../rows/row-index.ts';
import type { BatchContext, BatchReport } from './batch-context.ts';
import { storeRows } from '../rows/store-rows.ts';
import { readWarning, warningRow, type IngestionWarningRow } from '../warnings/warning-rows.ts';
import { createLetterWriter } from '../events/letters.ts';
import type { EntryRange } from '../events/entry-range.ts';
import type { Batch } from '../stream/batch.ts';

/**
 * A batch of the lane `warnings` becomes rows: each finds its project. Capture has limited them already: their counts
 * sum up to the number of events, so none is left out here.
 */
export async function processWarnings(batch: Batch, context: BatchContext): Promise<BatchReport> {
  const { retry, clock } = context;
  const letters = createLetterWriter(batch.stream, isoMicroseconds(clock.nowMs()));
  const { entries, unreadable } = openRecords(batch.records, letters);
  const read = entries.map((range) => ({ range, warning: readWarning(range.entry.head) }));
  const known = read.flatMap(({ warning }) => (warning === null ? [] : [warning]));
  const projects = await retry('postgres', () => context.projects.load(idsOf(known), tokensOf(known)));

  const dropped = { unknown_project: 0 };
  const rows: IngestionWarningRow[] = [];
  for (const warning of known) {
    const project = warning.projectId === null ? projects.byToken(warning.token) : projects.byId(warning.projectId);
    if (project === null) dropped.unknown_project++;
    else rows.push(warningRow(project.id, 'capture', warning));
  }
  const strange = read.flatMap(({ range, warning }) => (warning === null ? [unknownWarning(range)] : []));
  const failed = strange.map(({ range, error }) => letters.entry(range, error));
  await storeRows(context, batch.token, {
    events: [],
    contents: [],
    rowIndex: rowIndexOf(batch.records),
    states: { persons: [], removed: [], mappings: [], groups: [] },
    warnings: rows,
    letters: [...unreadable, ...failed],
    refusedLetter: (draft, detail) => letters.entry(draft.position, { reason: 'row_refused', step: 'insert', detail }),
  });
  return {
    entries: entries.length,
    rows: rows.length,
    dropped,
    deadLetters: unreadable.length + failed.length,
    moved: 0,
    lookedUp: 0,
  };
}

function unknownWarning(range: EntryRange) {
  return {
    range,
    error: { reason: 'unreadable_head', step: 'read-warning', detail: 'not a warning of a known type' },
  } as const;
}

function idsOf(warnings: readonly CapturedWarning[]): Set<number> {
  return new Set(warnings.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])));
}

function tokensOf(warnings: readonly CapturedWarning[]): Set<string> {
  return new Set(warnings.flatMap(({ projectId, token }) => (projectId === null ? [token] : [])));
}
