import { describe, expect, test } from '@jest/globals';
import { seeded } from './testing/funnel-cases.ts';
import type { SeenEvent } from './testing/reference-events.ts';
import { walkEntries, walkInOrder } from './testing/reference-walks.ts';

// The reference keeps one state per actor. Without exclusions its depth must be that of the best of all ways.

const event = (t: number, steps: readonly number[]): SeenEvent => ({
  t,
  steps,
  own: steps,
  spoils: [],
  starts: true,
  value: '',
});

/** All ways through an ordered funnel, each as the times of its steps: every choice of events is tried. */
function waysOf(events: readonly SeenEvent[], window: number, before: readonly number[] = []): (readonly number[])[] {
  const found: (readonly number[])[] = before.length > 0 ? [before] : [];
  for (const [at, { t, own }] of events.entries())
    if (own.includes(before.length) && t - (before[0] ?? t) <= window)
      found.push(...waysOf(events.slice(at + 1), window, [...before, t]));
  return found;
}

const actors = Array.from({ length: 400 }, (_, seed) => {
  const random = seeded(seed + 1);
  const events = Array.from({ length: random(9) }, () => {
    const steps = [0, 1, 2].filter(() => random(2) === 0);
    return event(random(8), steps.length === 0 ? [random(3)] : steps);
  });
  const place = ({ t, steps }: SeenEvent): number =>
    t * 1_000 + (steps[0] ?? 0) * 100 + steps.reduce((sum, step) => sum + 2 ** step, 0);
  return { events: events.toSorted((one, other) => place(one) - place(other)), window: random(8) };
});

describe('the reference', () => {
  test('gets as deep as the best of all ways', () => {
    for (const { events, window } of actors) {
      const depths = waysOf(events, window).map(({ length }) => length);
      const funnel = { order: 'ordered', steps: 3, window } as const;
      expect(walkInOrder(funnel, events)).toHaveLength(Math.max(0, ...depths));
    }
  });

  test('gives the times of the newest entry of those ways that are the first to be so deep', () => {
    for (const { events, window } of actors) {
      const ways = waysOf(events, window);
      const depth = Math.max(0, ...ways.map(({ length }) => length));
      const deepest = ways.filter(({ length }) => length === depth);
      const first = Math.min(...deepest.map((way) => way.at(-1) ?? 0));
      const reached = walkInOrder({ order: 'ordered', steps: 3, window }, events);
      expect(depth === 0 ? Infinity : (reached.at(-1) ?? 0)).toBe(first);
    }
  });

  test('converts an entry exactly when some way from it does', () => {
    for (const { events, window } of actors) {
      const entries = walkEntries({ order: 'ordered', steps: 3, window }, events, { from: 0, to: 2 });
      const converting = new Set(waysOf(events, window).flatMap((way) => (way.length === 3 ? [way[0]] : [])));
      const converted = new Set(entries.flatMap((entry) => (entry.converted ? [entry.t] : [])));
      expect(converted).toEqual(converting);
    }
  });
});
