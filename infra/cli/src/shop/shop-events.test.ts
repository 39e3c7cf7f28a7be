import { describe, expect, test } from '@jest/globals';
import { shopDays, shopEventCount, shopEvents, shopLib } from './shop-events.ts';

// The promise to readers of the docs: a seeded shop has the numbers that the docs show, on any day.
const events = shopEvents('2026-05-31');

describe('the events of the shop', () => {
  test('are all the same each time', () => {
    expect(events).toHaveLength(shopEventCount);
    expect(shopEvents('2026-05-31')).toEqual(events);
  });

  test('depend on the last day only in their times', () => {
    const [shift, firstDigits] = [3 * 86_400_000, 14];
    const timeless = ({ event, distinct_id, uuid }: (typeof events)[number]) => [
      event,
      distinct_id.length,
      uuid.slice(firstDigits),
    ];
    const later = shopEvents('2026-06-03');
    expect(later.map(timeless)).toEqual(events.map(timeless));
    expect(later.map(({ timestamp }) => Date.parse(timestamp) - shift)).toEqual(
      events.map(({ timestamp }) => Date.parse(timestamp)),
    );
  });

  test('have uuids of their own, of the time of the event', () => {
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(shopEventCount);
    for (const { uuid, timestamp } of events) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)).toBe(Date.parse(timestamp));
    }
  });

  test('come in order of time, on each of the days', () => {
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted());
    const days = new Set(times.map((time) => time.slice(0, 10)));
    expect([days.size, times[0]?.slice(0, 10), times.at(-1)?.slice(0, 10)]).toEqual([
      shopDays,
      '2026-04-02',
      '2026-05-31',
    ]);
  });

  test('have persons, groups, revenue, errors, generations and surveys', () => {
    const names = new Set(events.map(({ event }) => event));
    const wanted = [
      '$identify',
      '$groupidentify',
      'paid',
      '$exception',
      '$ai_generation',
      'survey sent',
      '$autocapture',
    ];
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
    for (const { properties } of events) expect(properties['$lib']).toBe(shopLib);
  });

  test('have customers in a possible order: none before their sign-up, and none signs up twice', () => {
    const known = new Set<string>();
    for (const { event, distinct_id, properties } of events) {
      if (event === '$identify') {
        expect(known.has(distinct_id)).toBe(false);
        expect(properties['$anon_distinct_id']).toMatch(/^[0-9a-f-]{36}$/);
        known.add(distinct_id);
      }
      if (distinct_id.startsWith('user_')) expect(known).toContain(distinct_id);
    }
    expect(known.size).toBeGreaterThan(300);
  });
});
