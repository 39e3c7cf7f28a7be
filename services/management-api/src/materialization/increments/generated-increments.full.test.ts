import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longAgo, openBucketBuilds, sqlOf, type BucketQuery } from '../../test/bucket-builds.ts';
import { openBuildWorld, type BuildWorld } from '../../test/build-world.ts';
import type { Seed } from '../../test/test-api.ts';

// Tables that are rebuilt by buckets have the rows of whole builds, whatever is asked and whatever comes (contract/endpoints 6.3).
let world: BuildWorld;
const rebuilds = { byBuckets: 0, whole: 0 };
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana', 'Pacific/Apia'];
const buckets = [
  'toDate(timestamp)',
  'toStartOfDay(timestamp)',
  'toStartOfHour(timestamp)',
  'toStartOfFifteenMinutes(timestamp)',
  'toStartOfMinute(timestamp)',
  "dateTrunc('day', timestamp)",
  "dateTrunc('hour', timestamp)",
];
const aggregates = [
  'count()',
  "countIf(event = 'paid')",
  'uniq(person_id)',
  'uniqExact(distinct_id)',
  'max(timestamp)',
  'min(properties.plan)',
  'sum(toFloat(properties.n))',
  'arraySort(groupUniqArray(event))',
  'max(person.properties.plan)',
];
const conditions = ["event != 'opened'", 'toFloat(properties.n) > 2', "distinct_id IN ('a', 'b', 'c')"];

const queries = fc
  .record({
    bucket: fc.constantFrom(...buckets),
    aggregates: fc.uniqueArray(fc.constantFrom(...aggregates), { minLength: 1, maxLength: 4 }),
    where: fc.option(fc.constantFrom(...conditions), { nil: undefined }),
    key: fc.constantFrom(undefined, 'event', 'properties.plan'),
    having: fc.boolean(),
    timeZone: fc.constantFrom(...zones),
  })
  .map(({ bucket, aggregates: chosen, where, key, having, timeZone }): BucketQuery => {
    const selected = [bucket, ...(key ? [key] : []), ...chosen].map((sql, at) => `${sql} AS s${at}`);
    const keys = ['s0', ...(key ? ['s1'] : [])];
    const sql =
      `SELECT ${selected.join(', ')} FROM events ${where ? `WHERE ${where} ` : ''}GROUP BY ${keys.join(', ')}` +
      (having ? ' HAVING count() > 1' : '');
    return { query: sqlOf(sql), timeZone };
  });

// Clocks change in New York and Havana on March 8, in Lord Howe on April 4.
const firstMs = Date.UTC(2026, 2, 1);
const lastMs = Date.UTC(2026, 3, 8);
const people = ['a', 'b', 'c', 'd'];
const personOf = (id: string): string => `00000000-0000-4000-8000-00000000000${people.indexOf(id)}`;
const times = fc.oneof(
  fc.integer({ min: firstMs, max: lastMs }),
  // Beginnings and ends of hours and days.
  fc
    .tuple(fc.integer({ min: firstMs / 900_000, max: lastMs / 900_000 }), fc.constantFrom(-1, 0))
    .map(([at, by]) => at * 900_000 + by),
);
const events = (size: { minLength: number; maxLength: number }) =>
  fc.array(
    fc.record({
      timestamp: times.map((at) => new Date(at).toISOString().slice(0, 23).replace('T', ' ')),
      event: fc.constantFrom('paid', 'opened', ''),
      distinct_id: fc.constantFrom(...people),
      properties: fc.record({ n: fc.integer({ min: 0, max: 9 }), plan: fc.constantFrom('free', 'pro', null) }),
      person_properties: fc.record({ plan: fc.constantFrom('free', 'pro') }),
    }),
    size,
  );
type Event = ReturnType<typeof events> extends fc.Arbitrary<(infer One)[]> ? One : never;

const cases = fc.record({
  query: queries,
  before: events({ minLength: 60, maxLength: 200 }),
  rounds: fc.array(
    fc.record({
      come: events({ minLength: 0, maxLength: 4 }),
      moves: fc.option(fc.record({ from: fc.constantFrom(...people), to: fc.constantFrom(...people) }), {
        nil: undefined,
        freq: 3,
      }),
    }),
    { minLength: 2, maxLength: 3 },
  ),
});

async function expectWholeAlways(made: typeof cases extends fc.Arbitrary<infer One> ? One : never): Promise<void> {
  const own = await world.project(0);
  const builds = openBucketBuilds(world);
  await insert(own, made.before, longAgo);
  const version = await builds.version(own, made.query);
  for (const [at, { come, moves }] of made.rounds.entries()) {
    await insert(own, come);
    if (moves)
      await world.api.writer.insert({
        table: 'analytics.person_overrides',
        format: 'JSONEachRow',
        values: [{ team_id: own.projectId, distinct_id: moves.from, person_id: personOf(moves.to), version: at + 2 }],
      });
    const row = await builds.rebuild(version);
    rebuilds[row.bucketsRebuilt === null ? 'whole' : 'byBuckets'] += 1;
    await builds.expectWhole(row, own, made.query);
  }
  await builds.age(version, () => ({ wholeAtMs: 0 }));
  await builds.rebuild(version);
  expect(builds.differing()).toBe(0);
}

async function insert(seed: Seed, rows: readonly Event[], came?: string): Promise<void> {
  if (rows.length === 0) return;
  await world.api.insertEvents(
    rows.map((event) => ({
      ...event,
      team_id: seed.projectId,
      person_id: personOf(event.distinct_id),
      person_properties_text: JSON.stringify(event.person_properties),
      ...(came !== undefined && { inserted_at: came }),
    })),
  );
}

test.each([1, 2, 3, 4, 5, 6])(
  '20 queries from seed %i',
  async (seed) => {
    for (const made of fc.sample(cases, { numRuns: 20, seed })) await expectWholeAlways(made);
  },
  180_000,
);

test('most rebuilds were by buckets', () => {
  expect(rebuilds.byBuckets).toBeGreaterThan(rebuilds.whole);
});
