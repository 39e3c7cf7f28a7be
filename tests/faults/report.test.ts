import { expect, test } from '@jest/globals';
import { reportOf } from './report.ts';
import type { Outcome } from './run-scenario.ts';

const outcome: Outcome = {
  scenario: 'poison',
  log: 'kafka',
  tookMs: 12_340,
  faults: 2,
  sent: 10,
  acked: 9,
  stored: 9,
  lost: [],
  doubled: [],
  outOfOrder: [],
  foreign: [],
  recoveryMs: 1_234,
  standstillMs: 567,
  responses: { 200: 9 },
  wrong: [],
  notes: ['three records'],
};

test('one line a scenario; below it what did not hold, what was noted, and what was left out with its reason', () => {
  const failed = { ...outcome, scenario: 'rewind', lost: ['u1'], wrong: ['1 lost, such as u1'], notes: [] };
  const lines = reportOf(
    [outcome, failed],
    [{ scenario: 'redis-away', log: 'kafka', why: 'this machine has no redis-server' }],
  ).split('\n');
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    '| scenario | log | seconds | faults | sent | acked | stored | lost | doubled | out of order | foreign | recovery s | standstill s | |',
    expect.stringMatching(/^[|:-]+$/),
    '| poison | kafka | 12 | 2 | 10 | 9 | 9 | 0 | 0 | 0 | 0 | 1.2 | 0.6 | ok |',
    '| rewind | kafka | 12 | 2 | 10 | 9 | 9 | 1 | 0 | 0 | 0 | 1.2 | 0.6 | FAILED |',
    '',
    'poison (kafka): three records',
    'FAILED rewind (kafka): 1 lost, such as u1',
    'not run: redis-away (kafka): this machine has no redis-server',
  ]);
});
