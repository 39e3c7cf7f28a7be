import { expect, test } from '@jest/globals';
import { createProjectShares } from './project-shares.ts';

const start = Date.UTC(2026, 4, 4);
const rate = { perSecond: 1_000, burst: 5_000 };

test('a project that makes the consumer write more than its share leaves for a minute; others do not', () => {
  const shares = createProjectShares(rate);
  shares.charge(7, 4_999, start);
  expect(shares.isUsedUp(7, start)).toBe(false);
  shares.charge(7, 700, start);
  expect([shares.isUsedUp(7, start), shares.isUsedUp(8, start)]).toEqual([true, false]);
  expect([shares.isUsedUp(7, start + 59_999), shares.isUsedUp(7, start + 60_000)]).toEqual([true, false]);
});

test('the share grows with the time at which records were appended: a backlog is charged as if it had been read at once', () => {
  const shares = createProjectShares(rate);
  for (let second = 0; second < 600; second++) {
    expect(shares.isUsedUp(7, start + 1_000 * second)).toBe(false);
    shares.charge(7, 1_000, start + 1_000 * second);
  }
});

test('a stream that lags behind another gives nothing and takes nothing away', () => {
  const shares = createProjectShares(rate);
  shares.charge(7, 3_000, start + 10_000);
  shares.charge(7, 1_000, start);
  shares.charge(7, 500, start + 10_000);
  expect(shares.isUsedUp(7, start)).toBe(false);
  shares.charge(7, 500, start);
  expect(shares.isUsedUp(7, start + 10_000)).toBe(true);
});

test('what is remembered is bounded: of 100,000 projects, all charged, the newest are', () => {
  const shares = createProjectShares(rate);
  for (let project = 0; project < 100_000; project++) shares.charge(project, 5_000, start);
  expect([shares.isUsedUp(99_999, start), shares.isUsedUp(0, start)]).toEqual([true, false]);
});
