import { expect, test } from '@jest/globals';
import { createShownDrops } from './shown-drops.ts';

const line = (fields: object): string => `${JSON.stringify({ level: 'warn', ...fields })}\n`;
const dropped = (fields: object): string => line({ ...fields, msg: 'events were dropped' });

test('each line about dropped events is shown with its reason and what to write, however the log is cut into chunks', () => {
  const shown: string[] = [];
  const take = createShownDrops((text) => void shown.push(text));
  const detail = 'The event has no distinct_id. Write "distinct_id" instead of "distinctId".';
  const log =
    line({ msg: 'listening' }) +
    dropped({ reason: 'missing_distinct_id', events: 1, project: 1, detail }) +
    '{"msg":"events were dropped", broken\n' +
    dropped({ reason: 'malformed_event', events: 12, project: null }) +
    dropped({ reason: 'malformed_event', events: 2, project: 'others' });
  for (const character of log) take(Buffer.from(character));
  expect(shown).toEqual([
    `capture dropped an event of project 1 (missing_distinct_id): ${detail}`,
    'capture dropped 12 events of an unknown project (malformed_event)',
    'capture dropped 2 events of other projects (malformed_event)',
  ]);
});
