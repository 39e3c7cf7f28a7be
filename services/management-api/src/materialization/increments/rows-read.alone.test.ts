import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBucketBuilds, sqlOf, type BucketQuery } from '../../test/bucket-builds.ts';
import { openBuildWorld, type BuildWorld } from '../../test/build-world.ts';

// An incremental rebuild after 1 % of new events reads at most 5 % of the rows of a whole build.
let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());

const day = 86_400;

/** Events of the project, evenly over the days before this one; `came`: SQL of when they came. */
const insert = (
  teamId: number,
  { count, days, until, came }: { count: number; days: number; until: string; came: string },
): Promise<string> =>
  world.send(`INSERT INTO analytics.events (team_id, uuid, event, distinct_id, timestamp, created_at, person_id, person_mode,
      properties_text, properties, person_properties_text, person_properties, inserted_at)
    SELECT ${teamId}, generateUUIDv4(), ['paid', 'opened', 'closed'][number % 3 + 1], toString(number % 5000),
      toDateTime64('${until} 00:00:00', 6, 'UTC') - intDiv(number * ${days * day}, ${count}) - 1 AS at, at, generateUUIDv4(number % 5000), 'full',
      '{}', map(), '{}', map(), ${came}
    FROM numbers(${count})`);

// ClickHouse reads granules of 8,192 rows, whose ends lie where merges have put them: fewer events would make them the larger part.
const events = 2_000_000;

test.each([
  ['days', 'toDate(timestamp) AS bucket, event'],
  ['hours', 'toStartOfHour(timestamp) AS bucket'],
])(
  'a rebuild by %s reads at most 5 % of a whole build after 1 %% of new events',
  async (_name, keys) => {
    const builds = openBucketBuilds(world);
    const own = await world.project(0);
    const query: BucketQuery = {
      query: sqlOf(`SELECT ${keys}, count() AS n FROM events GROUP BY ALL`),
    };
    await insert(own.projectId, { count: events, days: 365, until: '2026-06-01', came: "'2026-06-01 00:00:00'" });
    await world.send('OPTIMIZE TABLE analytics.events FINAL');
    const version = await builds.version(own, query);
    const whole = await world.row(version);
    expect(whole.rowsRead).toBeGreaterThanOrEqual(events);
    await insert(own.projectId, { count: events / 100, days: 1, until: '2026-06-02', came: 'now64(6)' });
    await world.send('OPTIMIZE TABLE analytics.events FINAL');
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBeGreaterThan(0);
    await builds.expectWhole(row, own, query);
    expect((row.rowsRead ?? Infinity) / (whole.rowsRead ?? 0)).toBeLessThanOrEqual(0.05);
  },
  180_000,
);
