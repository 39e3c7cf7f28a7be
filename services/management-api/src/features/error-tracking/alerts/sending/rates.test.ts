import { describe, expect, test } from '@jest/globals';
import { attemptsMax, planAttempts, rates, waitsMs } from './rates.ts';

// contract/decisions 141.

const now = 1_000_000_000;
const none = { fresh: 0, retries: 0, attemptedMs: [] };
const attempted = (count: number, agoMs = 0): number[] =>
  Array.from({ length: count }, (_, index) => now - agoMs + index);

test('eight attempts take some six hours, each wait at least as long as the one before', () => {
  expect(attemptsMax).toBe(8);
  const hours = waitsMs.slice(0, -1).reduce((sum, ms) => sum + ms, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(5.5);
  expect(hours).toBeLessThan(6.5);
  expect(waitsMs.toSorted((one, other) => one - other)).toEqual(waitsMs);
});

describe('attempts', () => {
  test('are made a few at a time while the rate is far away', () => {
    expect(planAttempts('webhook', { ...none, fresh: 3 }, now)).toMatchObject({ singles: 3, isDigest: false });
    expect(planAttempts('webhook', { ...none, fresh: 100 }, now)).toMatchObject({ singles: 4, isDigest: false });
    expect(planAttempts('mail', { ...none, fresh: 3 }, now)).toMatchObject({ singles: 1, isDigest: false });
  });

  test('the last one that the rate allows is a digest, if more than one waits', () => {
    const attemptedMs = attempted(19);
    expect(planAttempts('webhook', { ...none, fresh: 57, attemptedMs }, now)).toMatchObject({
      singles: 0,
      isDigest: true,
    });
    expect(planAttempts('webhook', { ...none, fresh: 1, attemptedMs }, now)).toMatchObject({
      singles: 1,
      isDigest: false,
    });
    const three = { ...none, attemptedMs: attempted(17) };
    expect(planAttempts('webhook', { ...three, fresh: 3 }, now)).toMatchObject({ singles: 3, isDigest: false });
    expect(planAttempts('webhook', { ...three, fresh: 4 }, now)).toMatchObject({ singles: 2, isDigest: false });
  });

  test('wait when the rate is used up, until a quarter of it is back', () => {
    const attemptedMs = attempted(20, 30_000);
    const plan = planAttempts('webhook', { fresh: 5, retries: 5, attemptedMs }, now);
    expect(plan).toMatchObject({ singles: 0, retries: 0, isDigest: false, blockedUntilMs: now + 30_000 + 4 });
    expect(planAttempts('webhook', { ...none, fresh: 9, attemptedMs }, now + 30_004)).toMatchObject({ singles: 4 });
  });

  test('of failed deliveries leave room for new ones, and the other way round', () => {
    expect(planAttempts('webhook', { ...none, fresh: 10, retries: 10 }, now)).toMatchObject({ retries: 2, singles: 2 });
    expect(planAttempts('webhook', { ...none, retries: 10 }, now)).toMatchObject({ retries: 4, singles: 0 });
  });

  test.each(['webhook', 'mail'] as const)(
    'by %s are never more than the rate in its time, and end in one digest',
    (channel) => {
      const { attemptsMax: most, windowMs } = rates[channel];
      let [waiting, times, sent]: [number, readonly number[], number[]] = [300, [], []];
      for (let ms = now; waiting > 0 && ms < now + windowMs; ms += windowMs / 100) {
        const { singles, isDigest, withinMs } = planAttempts(
          channel,
          { fresh: waiting, retries: 0, attemptedMs: times },
          ms,
        );
        const made = Array.from({ length: singles + (isDigest ? 1 : 0) }, () => ms);
        times = [...withinMs, ...made];
        sent = [...sent, ...made];
        waiting = isDigest ? 0 : waiting - singles;
      }
      expect([waiting, sent.length]).toEqual([0, most]);
    },
  );
});
