import { readSpan, type DateSpan, type IntervalUnit } from '../../dates/date-span.ts';
import { intervalIndex } from '../../dates/interval-texts.ts';
import { previousSpan } from '../../dates/previous-span.ts';
import { msOfEvent, type MadeWorld } from '../../testing/actor-world.ts';
import type { WorldEvent } from '../../testing/world.ts';

/** Stickiness of one series as a definition says it, in plain values. */
export interface StickinessCase {
  event: string | null;
  holds: (event: WorldEvent) => boolean;
  unit: IntervalUnit;
  /** Undefined: the event has none. */
  actorOf: (event: WorldEvent) => string | null | undefined;
  isEnough: (events: number) => boolean;
  cumulative: boolean;
}

/** Data and count of the range and of the one before, by loops over all events (contract/insights 9). */
export function referenceStickiness(world: MadeWorld, asked: StickinessCase): { data: number[]; count: number }[] {
  const { timeZone, nowMs, dateRange } = world;
  const options = { unit: asked.unit, now: { nowMs, timeZone }, rule: 'trends' } as const;
  const current = readSpan(dateRange, options);
  return [current, previousSpan(current, dateRange, {}, options)].map((span) => ofSpan(world, span, asked));
}

function ofSpan({ events }: MadeWorld, span: DateSpan, asked: StickinessCase): { data: number[]; count: number } {
  const seen = new Map<string | null, Map<number, number>>();
  for (const event of events) {
    const actor = asked.actorOf(event);
    if (actor === undefined || isBefore(event.at, span.countsFrom) || event.at > span.to) continue;
    if ((asked.event !== null && event.event !== asked.event) || !asked.holds(event)) continue;
    const intervals = seen.get(actor) ?? new Map<number, number>();
    const index = intervalIndex(span, msOfEvent(event.at));
    intervals.set(index, (intervals.get(index) ?? 0) + 1);
    seen.set(actor, intervals);
  }
  const counts = [...seen.values()].map((intervals) => [...intervals.values()].filter(asked.isEnough).length);
  const data = span.starts.map(
    (_, at) => counts.filter((count) => (asked.cumulative ? count >= at + 1 : count === at + 1)).length,
  );
  return { data, count: counts.filter((count) => count > 0).length };
}

const isBefore = (at: string, moment: string): boolean => at.padEnd(26, at.length === 19 ? '.000000' : '0') < moment;
