import { isDeepStrictEqual } from 'node:util';
import type { World, WorldEvent } from '../../testing/world.ts';

/** A whole number less than `below`; the same ones for the same seed. */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const pick = <Value>(random: Random, values: readonly Value[]): Value => values[random(values.length)] as Value;

/** Days over which clocks change in New York and in Berlin. */
const days = ['2025-03-08', '2025-03-09', '2025-03-10', '2025-03-29', '2025-03-30', '2025-03-31'];

/** Moments of few different kinds, so that many events share one. */
function time(random: Random, near: string): string {
  const day = random(3) === 0 ? pick(random, days) : near;
  const hour = pick(random, ['00', '01', '02', '06', '23']);
  const rest = pick(random, ['00:00', '00:00', '00:01', '00:01.000001', '30:00']);
  return `${day} ${hour}:${rest}`;
}

/** Persons, some merged, with groups and teams; events of few names and values, in any order. */
export function funnelWorld(random: Random, persons: number): World {
  const merged: Record<string, string> = {};
  const events: WorldEvent[] = [];
  for (let person = 0; person < persons; person += 1) {
    const who = `p${person}`;
    if (person > 0 && random(5) === 0) merged[who] = `p${random(person)}`;
    const near = pick(random, days);
    for (let count = random(9); count >= 0; count -= 1) {
      const event = pick(random, ['a', 'a', 'b', 'b', 'c', 'c', 'x', 'other']);
      const plan = pick(random, ['pro', 'pro', 'free', '', null, undefined, 'Other', 'é"\\']);
      const team = pick(random, ['t1', 't2', '', undefined]);
      events.push({
        at: time(random, near),
        who,
        event,
        properties: { ...(plan !== undefined && { plan }), ...(team !== undefined && { team }) },
        groups: random(3) === 0 ? {} : { 0: `g${random(4)}` },
      });
    }
    // First events of their name are at a moment of their own.
    if (random(2) === 0)
      events.push({
        at: `${near} 01:00:00.${String(10 + person).padStart(6, '0')}`,
        who,
        event: 'first',
        properties: { plan: 'pro' },
      });
  }
  return { events, merged };
}

const filter = (random: Random): object[] =>
  random(3) === 0
    ? [
        {
          key: 'plan',
          value: pick(random, [['pro'], ['pro', 'free'], ['free', 'Other']]),
          type: 'event',
          operator: 'exact',
        },
      ]
    : [];

function node(random: Random, name: string | undefined): Record<string, unknown> {
  if (name === 'first')
    return {
      kind: 'EventsNode',
      event: name,
      properties: filter(random),
      math: pick(random, ['first_time_for_user', 'first_time_for_user_with_filters', 'total']),
    };
  return { kind: 'EventsNode', ...(name !== undefined && { event: name }), properties: filter(random) };
}

function exclusions(random: Random, series: readonly Record<string, unknown>[], isUnordered: boolean): object[] {
  const steps = series.length;
  if (random(2) === 0) return [];
  return Array.from({ length: 1 + random(2) }, () => {
    const from = isUnordered ? 0 : random(steps - 1);
    const to = isUnordered ? steps - 1 : from + 1 + random(steps - 1 - from);
    const given = node(random, pick(random, ['x', 'x', 'other', 'c']));
    const isStep = series.some(
      (step) => step['event'] === given['event'] && isDeepStrictEqual(step['properties'], given['properties']),
    );
    return { ...(isStep ? node(random, 'x') : given), funnelFromStep: from, funnelToStep: to };
  });
}

/** A definition without its `kind`. */
export function funnelDefinition(random: Random): Record<string, unknown> {
  const steps = 2 + random(3);
  const funnelOrderType = pick(random, ['ordered', 'ordered', 'strict', 'unordered']);
  const names = random(2) === 0 ? ['a', 'b', 'c', 'first'] : ['a', 'b', 'a', undefined, 'c'];
  const isDistinct = names.includes('first');
  const series = Array.from({ length: steps }, (_, step) =>
    node(random, isDistinct ? names[step] : pick(random, names)),
  );
  const funnelVizType = pick(random, ['steps', 'steps', 'trends', 'time_to_convert']);
  const attribution = pick(random, ['first_touch', 'last_touch', 'all_events', 'step']);
  const funnelFromStep = random(steps - 1);
  const interval = pick(random, ['hour', 'day', 'day', 'week', 'month', 'month']);
  return {
    series,
    interval,
    dateRange: {
      // A range so long that times and codes do not fit into one number.
      date_from: pick(random, ['2025-03-08', '2025-03-09 06:00:00', ...(interval === 'month' ? ['1950-01-01'] : [])]),
      date_to: pick(random, ['2025-03-31', '2025-03-30']),
    },
    ...(random(4) === 0 && { properties: filter(random) }),
    ...(random(5) === 0 && { aggregation_group_type_index: 0 }),
    ...(random(2) === 0 && funnelVizType !== 'time_to_convert' && { breakdownFilter: { breakdown: 'plan' } }),
    funnelsFilter: {
      funnelVizType,
      funnelOrderType,
      exclusions: exclusions(random, series, funnelOrderType === 'unordered'),
      ...pick(random, [
        { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'second' },
        { funnelWindowInterval: 60, funnelWindowIntervalUnit: 'minute' },
        { funnelWindowInterval: 6, funnelWindowIntervalUnit: 'hour' },
        { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'day' },
        { funnelWindowInterval: 14 },
        { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'month' },
      ]),
      breakdownAttributionType: attribution,
      ...(attribution === 'step' && { breakdownAttributionValue: funnelOrderType === 'unordered' ? 0 : random(steps) }),
      ...(random(2) === 0 &&
        funnelVizType !== 'steps' && {
          funnelFromStep,
          funnelToStep: funnelFromStep + 1 + random(steps - 1 - funnelFromStep),
        }),
      ...(random(6) === 0 && { funnelAggregateByHogQL: 'properties.team' }),
    },
  };
}
