import { describe, expect, test } from '@jest/globals';
import { createRetry } from '../stream/retry.ts';
import { personsAgeMaxMs, withFreshPersons } from './fresh-persons.ts';

let nowMs = 0;
const clock = { nowMs: () => nowMs };
const retry = createRetry({
  signal: new AbortController().signal,
  onHealthChange: () => undefined,
  onStuck: () => undefined,
  isFinal: () => false,
});

describe('persons that a batch has read', () => {
  test('are read again when the engine was away for so long that their overrides may have been folded', async () => {
    const sent: string[] = [];
    let person = 'old';
    const rounds = await withFreshPersons({ clock, retry }, async ({ round, reading, retry: guarded }) => {
      reading();
      const read = person;
      await guarded('clickhouse', () => {
        if (round > 0) return Promise.resolve(sent.push(read));
        nowMs += personsAgeMaxMs + 1;
        person = 'new';
        return Promise.reject(new Error('away'));
      });
      return round;
    });
    expect([rounds, sent]).toEqual([1, ['new']]);
  });

  test('are read again also when one try takes that long, because it is many calls', async () => {
    let calls = 0;
    const rounds = await withFreshPersons({ clock, retry }, async ({ round, reading, retry: guarded }) => {
      reading();
      await guarded('clickhouse', async (_, alive) => {
        for (let call = 0; call < 3; call++) {
          alive();
          if (round === 0) nowMs += personsAgeMaxMs / 2 + 1;
          calls += await Promise.resolve(1);
        }
      });
      return round;
    });
    // The third call of the first round was not made.
    expect([rounds, calls]).toEqual([1, 5]);
  });

  test('are good for as many tries as there is time for', async () => {
    const rounds = await withFreshPersons({ clock, retry }, async ({ round, reading, retry: guarded }) => {
      nowMs += 2 * personsAgeMaxMs;
      reading();
      await guarded('clickhouse', (attempt) => (attempt < 2 ? Promise.reject(new Error('away')) : Promise.resolve()));
      return round;
    });
    expect(rounds).toBe(0);
  });

  test('other failures are what they were', async () => {
    await expect(withFreshPersons({ clock, retry }, () => Promise.reject(new Error('revoked')))).rejects.toThrow(
      'revoked',
    );
  });
});
