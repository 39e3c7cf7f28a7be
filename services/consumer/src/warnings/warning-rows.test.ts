import { expect, test } from '@jest/globals';
import { readWarning, warningRow } from './warning-rows.ts';

const warning = {
  type: 'invalid_event_uuid',
  token: 't',
  projectId: 7,
  timestamp: '2026-11-21T10:00:00.000000Z',
  count: 2,
  details: { path: '/e/' },
};
const read = (more: object) => readWarning(Buffer.from(JSON.stringify({ ...warning, ...more })));

test('the severity of a warning follows from its type, unless it has its own: the same error may change an event or cost a whole batch', () => {
  const [usual, refused] = [read({}), read({ severity: 'error' })].map((one) => one && warningRow(7, 'capture', one));
  expect(usual).toMatchObject({ severity: 'warning', category: 'event', count: 2 });
  expect(refused).toMatchObject({ severity: 'error', category: 'event' });
  expect(JSON.parse(refused?.details ?? '')).toEqual({
    pipelineStep: 'capture',
    path: '/e/',
    category: 'event',
    severity: 'error',
  });
});

test.each([
  ['a severity that nobody knows', { severity: 'fatal' }],
  ['a type that nobody knows', { type: 'odd' }],
  ['a count that is none', { count: -1 }],
  ['a project that is none', { projectId: 0 }],
  [
    'a day that is none: its row would be refused for ever, and stop the lane',
    { timestamp: '2026-02-30T00:00:00.000000Z' },
  ],
])('%s: not read', (_name, more) => {
  expect(read(more)).toBeNull();
});
