import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { createDropNotes } from './drop-notes.ts';

let lines: Record<string, unknown>[];
const logger = createLogger('capture', 'silent');
logger.warn = (fields: Record<string, unknown>) => void lines.push(fields);

beforeEach(() => {
  lines = [];
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

test('the first drop of a reason is told at once, with what to write; a flood is one line in ten seconds, none lost', () => {
  const notes = createDropNotes(logger);
  for (let n = 0; n < 1_000; n++) notes.note('missing_distinct_id', { projectId: 7, written: 'distinctId' });
  notes.note('missing_event_name', { projectId: 8 });
  expect(lines).toEqual([
    {
      reason: 'missing_distinct_id',
      events: 1,
      project: 7,
      detail: 'The event has no distinct_id. Write "distinct_id" instead of "distinctId".',
    },
    { reason: 'missing_event_name', events: 1, project: 8, detail: 'The event has no name.' },
  ]);
  jest.advanceTimersByTime(10_000);
  expect(lines.slice(2)).toMatchObject([{ reason: 'missing_distinct_id', events: 999 }]);
  jest.advanceTimersByTime(20_000);
  expect(lines).toHaveLength(3);
});

test('what is counted at the end is told, and what is dropped on purpose is not', () => {
  const notes = createDropNotes(logger);
  for (let n = 0; n < 3; n++) notes.note('malformed_event', { projectId: null });
  notes.note('dropped_performance_event', { projectId: 7 });
  notes.close();
  expect(lines.map(({ reason, events }) => [reason, events])).toEqual([
    ['malformed_event', 1],
    ['malformed_event', 2],
  ]);
});
