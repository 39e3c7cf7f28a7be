import { expect, test } from '@jest/globals';
import { createWarningLimiter, limiterOf } from './warning-limiter.ts';

test('one warning an hour for each project, type and key (contract/capture 4.7)', () => {
  let now = 1_000_000;
  const allows = createWarningLimiter({ nowMs: () => now });
  expect([
    allows(1, 'a', 'x'),
    allows(1, 'a', 'x'),
    allows(1, 'a', 'y'),
    allows(1, 'b', 'x'),
    allows(2, 'a', 'x'),
  ]).toEqual([true, false, true, true, true]);
  now += 3_599_999;
  expect(allows(1, 'a', 'x')).toBe(false);
  now += 1;
  expect(allows(1, 'a', 'x')).toBe(true);
});

test('a flood of keys does not fill the memory: the oldest are forgotten', () => {
  const allows = createWarningLimiter({ nowMs: () => 0 });
  for (let key = 0; key <= 50_000; key++) expect(allows(1, 'a', String(key))).toBe(true);
  expect(allows(1, 'a', '50000')).toBe(false);
  expect(allows(1, 'a', '0')).toBe(true);
});

test('a repeated batch repeats its warnings, each once', () => {
  const clock = { nowMs: () => 0 };
  const limiter = createWarningLimiter(clock);
  expect([
    limiterOf({ again: false }, limiter, clock)(1, 'a', 'x'),
    limiterOf({ again: false }, limiter, clock)(1, 'a', 'x'),
  ]).toEqual([true, false]);
  const again = limiterOf({ again: true }, limiter, clock);
  expect([again(1, 'a', 'x'), again(1, 'a', 'x')]).toEqual([true, false]);
});
