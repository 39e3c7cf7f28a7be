import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { createDropLog } from './drop-log.ts';

let lines: Record<string, unknown>[];
const logger = createLogger('capture', 'silent');
logger.warn = (fields: Record<string, unknown>) => void lines.push(fields);

beforeEach(() => {
  lines = [];
  jest.useFakeTimers();
});
afterEach(() => void jest.useRealTimers());

test('the first drop of a reason is logged at once, with advice; a flood is one line in ten seconds, with all events counted', () => {
  const dropLog = createDropLog(logger);
  for (let n = 0; n < 1_000; n++) dropLog.record('missing_distinct_id', { projectId: 7, written: 'distinctId' });
  dropLog.record('missing_event_name', { projectId: 8 });
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

test('each project has its own lines: drops of one project are never counted for another', () => {
  const dropLog = createDropLog(logger);
  for (let n = 0; n < 1_000; n++) dropLog.record('missing_distinct_id', { projectId: 7, written: 'distinctId' });
  for (let n = 0; n < 2; n++) dropLog.record('missing_distinct_id', { projectId: 8, written: 'userId' });
  dropLog.record('missing_distinct_id', { projectId: null });
  jest.advanceTimersByTime(10_000);
  const missing = 'The event has no distinct_id.';
  expect(lines.map(({ project, events, detail }) => [project, events, detail])).toEqual([
    [7, 1, `${missing} Write "distinct_id" instead of "distinctId".`],
    [8, 1, `${missing} Write "distinct_id" instead of "userId".`],
    [null, 1, missing],
    [7, 999, `${missing} Write "distinct_id" instead of "distinctId".`],
    [8, 1, `${missing} Write "distinct_id" instead of "userId".`],
  ]);
});

test('a flood of projects is no flood of lines, and none of its events is lost from the counts', () => {
  const dropLog = createDropLog(logger);
  for (let round = 0; round < 2; round++)
    for (let projectId = 1; projectId <= 10_000; projectId++) dropLog.record('malformed_event', { projectId });
  dropLog.record('missing_event_name', { projectId: 10_001 });
  dropLog.close();
  expect(lines.length).toBeLessThan(210);
  const eventsOf = (wanted: string): number =>
    lines.filter(({ reason }) => reason === wanted).reduce((sum, { events }) => sum + Number(events), 0);
  expect([eventsOf('malformed_event'), eventsOf('missing_event_name')]).toEqual([20_000, 1]);
  expect(lines.at(-1)).toMatchObject({ reason: 'malformed_event', project: 'others', events: 19_799 });
});

test('the rest is logged at the stop; events that are dropped on purpose are not', () => {
  const dropLog = createDropLog(logger);
  for (let n = 0; n < 3; n++) dropLog.record('malformed_event', { projectId: null });
  dropLog.record('dropped_performance_event', { projectId: 7 });
  dropLog.close();
  expect(lines.map(({ reason, events }) => [reason, events])).toEqual([
    ['malformed_event', 1],
    ['malformed_event', 2],
  ]);
});
