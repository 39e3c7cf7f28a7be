import { describe, expect, test } from '@jest/globals';
import { dueAtMs, dueBy, reachedPerSecond, requestsOf } from './schedule.ts';

const schedule = { requestsPerSecond: 7_000, seconds: 2 };

describe('an open-model load keeps to its schedule', () => {
  test('the rate is exact over the whole time', () => {
    expect(requestsOf(schedule)).toBe(14_000);
    expect([dueAtMs(schedule, 0), dueAtMs(schedule, 7_000)]).toEqual([0, 1_000]);
    expect(requestsOf({ requestsPerSecond: 0.5, seconds: 4 })).toBe(2);
  });

  test('what is due is what has come due, no more and no less', () => {
    expect([dueBy(schedule, -1), dueBy(schedule, 0), dueBy(schedule, 1), dueBy(schedule, 1_000_000)]).toEqual([
      0, 1, 8, 14_000,
    ]);
    for (let index = 0; index < 14_000; index += 13)
      expect([index, dueBy(schedule, dueAtMs(schedule, index))]).toEqual([index, index + 1]);
    for (let index = 1; index < 14_000; index += 13)
      expect([index, dueBy(schedule, dueAtMs(schedule, index) - 0.01)]).toEqual([index, index]);
  });

  test('a rate counts as reached by what was acknowledged in time', () => {
    const small = { requestsPerSecond: 10, seconds: 2 };
    expect(reachedPerSecond(small, new Float64Array(20).fill(50))).toBe(10);
    expect(reachedPerSecond(small, new Float64Array(20).fill(2_000))).toBe(5.5);
  });
});
