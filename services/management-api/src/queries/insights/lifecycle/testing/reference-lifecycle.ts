import { readSpan, type IntervalUnit } from '../../dates/date-span.ts';
import { intervalIndex } from '../../dates/interval-texts.ts';
import { startOf } from '../../dates/intervals.ts';
import { actorOf, msOfEvent, type MadeWorld } from '../../testing/actor-world.ts';
import type { WorldEvent } from '../../testing/world.ts';

/** Lifecycle as a definition says it, in plain values. */
export interface LifecycleCase {
  event: string | null;
  holds: (event: WorldEvent) => boolean;
  unit: IntervalUnit;
  groupTypeIndex: number | undefined;
}

/** Data of new, returning, resurrecting and dormant, by loops over all events (contract/insights 8.1). */
export function referenceLifecycle(
  world: MadeWorld,
  { event, holds, unit, groupTypeIndex }: LifecycleCase,
): number[][] {
  const { timeZone, nowMs, dateRange } = world;
  const span = readSpan(dateRange, { unit, now: { nowMs, timeZone }, rule: 'interval' });
  const before = startOf((span.starts[0] ?? 0) - 1, unit, timeZone);
  // Place of an interval: 0 is the one before the range.
  const placeOf = (ms: number): number => {
    const index = intervalIndex(span, ms);
    if (index >= 0) return index + 1;
    return ms >= before && ms < (span.starts[0] ?? 0) ? 0 : -1;
  };
  const count = span.starts.length + 1;
  const active = new Map<string, boolean[]>();
  for (const one of world.events) {
    const actor = actorOf(world, one, groupTypeIndex);
    const place = placeOf(msOfEvent(one.at));
    if (actor === undefined || place < 0 || one.at > span.to || one.mode === 'propertyless') continue;
    if ((event !== null && one.event !== event) || !holds(one)) continue;
    const places = active.get(actor) ?? new Array<boolean>(count).fill(false);
    places[place] = true;
    active.set(actor, places);
  }
  const [fresh, returning, resurrecting, dormant] = [0, 1, 2, 3].map(() => new Array<number>(count).fill(0));
  const add = (data: number[] | undefined, place: number, by: number): void => {
    if (data !== undefined) data[place] = (data[place] ?? 0) + by;
  };
  for (const [actor, places] of active) {
    const created = createdAt(world, actor, groupTypeIndex);
    for (let place = 1; place < count; place += 1) {
      const isFirst = !places.slice(0, place).includes(true);
      if (places[place] !== true) {
        if (places[place - 1] === true) add(dormant, place, -1);
      } else if (isFirst && created !== undefined && placeOf(created) === place) add(fresh, place, 1);
      else if (places[place - 1] === true) add(returning, place, 1);
      else add(resurrecting, place, 1);
    }
  }
  return [fresh, returning, resurrecting, dormant].map((data) => (data ?? []).slice(1));
}

function createdAt(world: MadeWorld, actor: string, groupTypeIndex: number | undefined): number | undefined {
  if (groupTypeIndex !== undefined) {
    const at = world.groupsCreated?.[groupTypeIndex]?.[actor];
    return at === undefined ? undefined : msOfEvent(at);
  }
  const given = world.created?.[actor];
  if (given !== undefined) return msOfEvent(given);
  const times = world.events.filter((event) => actorOf(world, event, undefined) === actor).map(({ at }) => at);
  return msOfEvent([...times].sort()[0] ?? '');
}
