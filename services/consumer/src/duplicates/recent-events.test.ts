import { describe, expect, test } from '@jest/globals';
import { testDraft } from '../test-support/drafts.ts';
import { dropDuplicates } from './drop-duplicates.ts';
import { createRecentEvents } from './recent-events.ts';

const uuid = (number: number): string => `0190f3a0-0000-7000-8000-${String(number).padStart(12, '0')}`;
const draft = (number: number, head = {}) => testDraft({ uuid: uuid(number), ...head });

describe('duplicates (contract/decisions 35)', () => {
  test('an event that was stored is known again; another event under its uuid is not it', () => {
    const recent = createRecentEvents(10);
    recent.add([draft(1)]);
    expect([recent.has(draft(1)), recent.has(draft(2)), recent.has(draft(1, { event: 'other' })), recent.has(draft(1, { distinctId: 'other' }))]).toEqual([true, false, false, false]);
    expect(recent.has(draft(1, { timestamp: '2026-05-06T10:00:00.000000Z' }))).toBe(true);
  });

  test('at least so many are remembered, at most twice as many', () => {
    const recent = createRecentEvents(3);
    for (let number = 1; number <= 7; number++) recent.add([draft(number)]);
    expect([1, 2, 3, 4, 5, 6, 7].map((number) => recent.has(draft(number)))).toEqual([false, false, false, true, true, true, true]);
  });

  test('the first of a batch stays, and what the memory or ClickHouse has goes', async () => {
    const recent = createRecentEvents(10);
    recent.add([draft(1)]);
    const asked: string[] = [];
    const stored = {
      find: (drafts: readonly ReturnType<typeof draft>[]) => {
        asked.push(...drafts.map(({ head }) => head.uuid));
        return Promise.resolve(new Set(drafts.filter(({ head }) => head.uuid === uuid(3))));
      },
    };
    const { kept, duplicates } = await dropDuplicates([draft(1), draft(2), draft(2), draft(3), draft(4)], recent, stored);
    expect(kept.map(({ head }) => head.uuid)).toEqual([uuid(2), uuid(4)]);
    expect(duplicates).toBe(3);
    expect(asked).toEqual([uuid(2), uuid(3), uuid(4)]);
  });
});
