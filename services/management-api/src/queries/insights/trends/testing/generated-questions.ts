import fc from 'fast-check';
import type { WorldEvent } from '../../testing/world.ts';
import { durationOf, type ReferenceBreakdown, type ReferenceSeries } from './reference-trends.ts';

// Parts of definitions, each with what it means over events.

const numberNames = ['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'];

type Math = { fields: object } & Omit<ReferenceSeries, 'event' | 'matches'>;

const plainMaths: Math[] = [
  { fields: {}, math: 'total' },
  ...['total', 'dau', 'weekly_active', 'monthly_active', 'unique_session'].map((math) => ({ fields: { math }, math })),
  ...['first_time_for_user', 'first_matching_event_for_user'].map((math) => ({ fields: { math }, math })),
  ...['dau', 'unique_group'].map((math) => ({ fields: { math, math_group_type_index: 0 }, math, group: 0 })),
  {
    fields: { math: 'hogql', math_hogql: 'count() * 2 + uniq(distinct_id)' },
    math: 'hogql',
    aggregate: (events) => events.length * 2 + new Set(events.map(({ who }) => who)).size,
  },
];

const propertyMaths: Math[] = numberNames.flatMap((math) => [
  { fields: { math, math_property: 'n' }, math, numberOf: ({ properties }: WorldEvent) => properties?.['n'] },
  {
    fields: { math, math_property: 'age', math_property_type: 'person_properties' },
    math,
    numberOf: ({ person }: WorldEvent) => person?.['age'],
  },
  { fields: { math, math_property: '$session_duration' }, math },
]);

const actorMaths: Math[] = numberNames
  .slice(1)
  .map((name) => ({ fields: { math: `${name}_count_per_actor` }, math: `${name}_count_per_actor` }));

const math = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...plainMaths) },
  { weight: 2, arbitrary: fc.constantFrom(...propertyMaths) },
  { weight: 1, arbitrary: fc.constantFrom(...actorMaths) },
);

interface Condition {
  properties?: object[];
  matches: (event: WorldEvent) => boolean;
}

const plain: Condition = { matches: () => true };

const conditions: Condition[] = [
  plain,
  {
    properties: [{ key: 'plan', value: ['pro', 'free', '7'], operator: 'exact' }],
    matches: ({ properties }) => ['pro', 'free', 7].includes(properties?.['plan'] as string),
  },
  {
    properties: [{ key: 'tier', value: 'a', type: 'person', operator: 'exact' }],
    matches: ({ person }) => person?.['tier'] === 'a',
  },
];

export interface GeneratedSeries extends ReferenceSeries {
  node: object;
}

export const generatedSeries: fc.Arbitrary<GeneratedSeries> = fc
  .record({
    math,
    event: fc.constantFrom('view', 'view', 'buy', "o'k", null),
    condition: fc.constantFrom(plain, ...conditions),
  })
  .map(({ math: { fields, ...rest }, event, condition: { properties, matches } }) => ({
    ...rest,
    event,
    matches,
    node: { kind: 'EventsNode', event, ...fields, ...(properties && { properties }) },
  }));

type Breakdown = ReferenceBreakdown & { item: object };

const breakdowns: Breakdown[] = [
  { item: { property: 'plan' }, textOf: ({ properties }) => properties?.['plan'] },
  { item: { property: 'tier', type: 'person' }, textOf: ({ person }) => person?.['tier'] },
  {
    item: { property: 'url', type: 'event', normalize_url: true },
    textOf: ({ properties }) => properties?.['url'],
    isUrl: true,
  },
  { item: { property: 'distinct_id', type: 'event_metadata' }, textOf: ({ who }) => who },
  { item: { property: '$group_0', type: 'event_metadata' }, textOf: ({ groups }) => groups?.[0] },
  {
    item: { property: "concat(event, '!')", type: 'hogql' },
    textOf: ({ event }) => `${event}!`,
  },
  {
    item: { property: '$session_duration', type: 'session' },
    textOf: ({ session = '' }, world) => (session === '' ? null : durationOf(world, session)),
  },
];

const histograms: Breakdown[] = [1, 3, 4].map((bins) => ({
  item: { property: 'n', histogram_bin_count: bins },
  textOf: ({ properties }) => properties?.['n'],
  bins,
}));

export interface GeneratedBreakdown {
  breakdownFilter?: object;
  parts: readonly ReferenceBreakdown[];
  isList: boolean;
}

export const generatedBreakdown: fc.Arbitrary<GeneratedBreakdown> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ parts: [], isList: false }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...breakdowns)
      .map((one) => ({ breakdownFilter: singleOf(one), parts: [one], isList: false })),
  },
  {
    weight: 3,
    arbitrary: fc
      .uniqueArray(fc.constantFrom(...breakdowns, ...histograms), { minLength: 1, maxLength: 3 })
      .map((parts) => ({
        breakdownFilter: { breakdowns: parts.map(({ item }) => item) },
        parts,
        isList: true,
      })),
  },
);

function singleOf({ item }: Breakdown): object {
  const { property, type, normalize_url } = item as { property: string; type?: string; normalize_url?: boolean };
  return { breakdown: property, breakdown_type: type, breakdown_normalize_url: normalize_url };
}

/** Ranges and intervals. Hours and minutes are asked of few days. */
export const generatedTimes = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      interval: fc.constantFrom('day', 'day', 'week', 'month', undefined),
      dateRange: fc.constantFrom<object>(
        {},
        { date_from: '-30d' },
        { date_from: '-2w' },
        { date_from: 'all' },
        { date_from: '-24h' },
        { date_from: 'mStart' },
        { date_from: '2025-03-05', date_to: '2025-03-12' },
        { date_from: '2025-03-05T13:30:00', date_to: '2025-04-02' },
        { date_from: '2025-03-05T13:30:00', date_to: '2025-04-02T10:00:00', explicitDate: true },
        { date_from: '-20d', excludeIncompletePeriods: true },
        { date_from: '2025-03-28', date_to: '2025-04-01' },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      interval: fc.constant('hour'),
      dateRange: fc.constantFrom<object>(
        { date_from: '-24h' },
        { date_from: '2025-03-08', date_to: '2025-03-10' },
        { date_from: '2025-03-29', date_to: '2025-03-31' },
        { date_from: '-12d', date_to: '-10d' },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      interval: fc.constant('minute'),
      dateRange: fc.constantFrom<object>(
        { date_from: '2025-03-09T01:00:00', date_to: '2025-03-09T04:15:00' },
        { date_from: '2025-03-30T00:00:00', date_to: '2025-03-30T04:00:00' },
      ),
    }),
  },
);

export const displays = [
  undefined,
  'ActionsLineGraph',
  'ActionsBar',
  'ActionsLineGraphCumulative',
  'ActionsLineGraphCumulative',
  'BoldNumber',
  'ActionsPie',
  'WorldMap',
] as const;

/** Formulas of two series, and what they mean. `over(a, b)`: 0 where the divisor is. */
export const formulas: [text: string, of: (a: number, b: number) => number][] = [
  ['A + B', (a, b) => a + b],
  ['a/B * 100', (a, b) => (b === 0 ? 0 : a / b) * 100],
  ['-(A - b) ** 2 + 1.5', (a, b) => -((a - b) ** 2) + 1.5],
  ['A % B', (a, b) => (b === 0 ? 0 : a - b * Math.floor(a / b))],
];
