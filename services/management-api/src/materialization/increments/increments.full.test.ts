import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { longAgo, openBucketBuilds, sqlOf, type BucketQuery } from '../../test/bucket-builds.ts';
import { openBuildWorld, type BuildWorld } from '../../test/build-world.ts';
import type { Seed } from '../../test/test-api.ts';
import { overridesMsMax, wholeEveryMs } from './increment-limits.ts';

// A rebuild computes the buckets that changed, and its table is that of a whole build (contract/endpoints 6.3).
let world: BuildWorld;
let builds: ReturnType<typeof openBucketBuilds>;
let own: Seed;

beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  builds = openBucketBuilds(world);
  own = await world.project(0);
});
afterEach(() => world.endTest());

const daily: BucketQuery = {
  query: sqlOf(
    'SELECT toDate(timestamp) AS day, event, count() AS n, any(distinct_id) AS one FROM events GROUP BY day, event',
  ),
};
const persons: BucketQuery = {
  query: sqlOf('SELECT toStartOfDay(timestamp) AS day, uniqExact(person_id) AS people FROM events GROUP BY day'),
};

const insert = (
  times: readonly string[],
  { came, ...fields }: { came?: string; event?: string; distinct_id?: string; person_id?: string } = {},
  seed = own,
): Promise<void> =>
  world.api.insertEvents(
    times.map((timestamp) => ({
      team_id: seed.projectId,
      timestamp,
      ...(came !== undefined && { inserted_at: came }),
      ...fields,
    })),
  );

/** An event at noon of each of the first days of January, which came long ago. */
const insertDays = (days = 8): Promise<void> =>
  insert(
    Array.from({ length: days }, (_, at) => `2026-01-0${at + 1} 12:00:00.000000`),
    { came: longAgo },
  );

describe('a rebuild', () => {
  test('computes the buckets of events that came, late ones too, and keeps the others', async () => {
    await insertDays();
    const version = await builds.version(own, daily);
    const first = await world.row(version);
    expect([first.bucketsRebuilt, first.layout?.increment]).toEqual([
      null,
      {
        fingerprint: expect.any(String),
        readAtMs: expect.any(Number),
        wholeAtMs: expect.any(Number),
        bucketsStored: 8,
      },
    ]);
    await insert(['2026-01-08 13:00:00.000000', '2026-01-09 01:00:00.000000']);
    await insert(['2026-01-02 23:59:59.999999'], { event: 'late' });
    const second = await builds.rebuild(version);
    expect(second.bucketsRebuilt).toBe(3);
    expect(await builds.expectWhole(second, own, daily)).toContain('"2026-01-02","late",1');
    expect(second.tableName).not.toBe(first.tableName);
  });

  test('of which nothing changed copies the table', async () => {
    await insertDays();
    const version = await builds.version(own, daily);
    const { bucketsRebuilt, ...row } = await builds.rebuild(version);
    expect(bucketsRebuilt).toBe(0);
    await builds.expectWhole({ bucketsRebuilt, ...row }, own, daily);
  });

  test('finds events that became visible after the last build and came a little before it', async () => {
    await insertDays();
    const version = await builds.version(own, daily);
    const { increment } = (await world.row(version)).layout ?? {};
    const came = new Date((increment?.readAtMs ?? 0) - 60_000).toISOString().slice(0, 23).replace('T', ' ');
    await insert(['2026-01-03 05:00:00.000000'], { came });
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBe(1);
    await builds.expectWhole(row, own, daily);
  });

  test('leaves events of other projects alone', async () => {
    const other = await world.project(0);
    await insertDays();
    const version = await builds.version(own, daily);
    await insert(['2026-01-03 05:00:00.000000'], {}, other);
    expect((await builds.rebuild(version)).bucketsRebuilt).toBe(0);
  });

  test.each([
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Australia/Lord_Howe', '2026-04-04'],
    ['America/Havana', '2026-03-08'],
    ['Asia/Kathmandu', '2026-05-01'],
  ])('has the hours of %s, also where clocks change (%s)', async (timeZone, day) => {
    const start = Date.parse(`${day}T00:00:00Z`);
    const times = Array.from({ length: 120 }, (_, half) => start + half * 1_800_000).map((at) =>
      new Date(at).toISOString().slice(0, 23).replace('T', ' '),
    );
    const query: BucketQuery = {
      query: sqlOf('SELECT toStartOfHour(timestamp) AS hour, count() AS n FROM events GROUP BY hour'),
      timeZone,
    };
    await insert(times, { came: longAgo });
    const version = await builds.version(own, query);
    const late = times.filter((_time, at) => at % 7 === 0);
    await insert(late);
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBeGreaterThan(10);
    await builds.expectWhole(row, own, query);
    expect(builds.differing()).toBe(0);
  });

  test('of a range with cut bounds has the days of the project’s zone', async () => {
    const query: BucketQuery = {
      query: {
        ...sqlOf('SELECT 1'),
        query:
          'SELECT event, count() AS n FROM events WHERE timestamp >= {variables.since} AND timestamp < {variables.until} GROUP BY event',
        variables: {
          since: { code_name: 'since', type: 'Date', value: '2026-01-01' },
          until: { code_name: 'until', type: 'Date', value: '2026-02-01' },
        },
      },
      timeZone: 'Asia/Tokyo',
    };
    await insertDays();
    const version = await builds.version(own, query);
    await insert(['2026-01-02 15:00:00.000000', '2026-01-02 14:59:59.999999']);
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBe(2);
    await builds.expectWhole(row, own, query);
  });
});

describe('merges of persons', () => {
  const [ann, bob] = [randomUUID(), randomUUID()];
  const merge = (): Promise<unknown> =>
    world.api.writer.insert({
      table: 'analytics.person_overrides',
      format: 'JSONEachRow',
      values: [{ team_id: own.projectId, distinct_id: 'b', person_id: ann, version: 2 }],
    });
  beforeEach(async () => {
    await insertDays();
    await insert(['2026-01-02 12:00:00.000000', '2026-01-04 12:00:00.000000'], {
      came: longAgo,
      distinct_id: 'a',
      person_id: ann,
    });
    await insert(['2026-01-02 13:00:00.000000', '2026-01-05 12:00:00.000000'], {
      came: longAgo,
      distinct_id: 'b',
      person_id: bob,
    });
  });

  test('change the buckets of the events that they move', async () => {
    const version = await builds.version(own, persons);
    await merge();
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBe(2);
    expect(await builds.expectWhole(row, own, persons)).toContain('"2026-01-02 00:00:00",2');
  });

  test('change nothing where no person is read', async () => {
    const version = await builds.version(own, daily);
    await merge();
    expect((await builds.rebuild(version)).bucketsRebuilt).toBe(0);
  });

  test('are not looked for when those of before may be squashed: the build is whole', async () => {
    const [reading, other] = [await builds.version(own, persons), await builds.version(own, daily)];
    for (const version of [reading, other])
      await builds.age(version, ({ readAtMs }) => ({ readAtMs: readAtMs - overridesMsMax }));
    expect((await builds.rebuild(reading)).bucketsRebuilt).toBeNull();
    expect((await builds.rebuild(other)).bucketsRebuilt).toBe(0);
  });
});

describe('a build is whole', () => {
  beforeEach(() => insertDays());

  test('where more than half of the buckets changed', async () => {
    const version = await builds.version(own, daily);
    await insert(Array.from({ length: 5 }, (_, at) => `2026-01-0${at + 1} 05:00:00.000000`));
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBeNull();
    await builds.expectWhole(row, own, daily);
  });

  test('once a day, also when the next build would be too late for that', async () => {
    const version = await builds.version(own, daily);
    await builds.age(version, ({ wholeAtMs }) => ({ wholeAtMs: wholeAtMs - wholeEveryMs / 2 }));
    await world.pool.query('UPDATE endpoint_versions SET data_freshness_seconds = 3600 WHERE id = $1', [
      version.versionId,
    ]);
    const { bucketsRebuilt, layout } = await builds.rebuild(version);
    expect(bucketsRebuilt).toBe(0);
    await builds.age(version, ({ wholeAtMs }) => ({ wholeAtMs: wholeAtMs - wholeEveryMs / 2 + 3_000_000 }));
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBeNull();
    expect(row.layout?.increment?.wholeAtMs).toBeGreaterThan(layout?.increment?.wholeAtMs ?? Infinity);
  });

  test('where the query, or the zone of its days, is another one than that of the table', async () => {
    const version = await builds.version(own, daily);
    for (const changed of [{ ...daily, timeZone: 'Asia/Tokyo' }, persons]) {
      builds.queries.set(version.versionId, changed);
      const row = await builds.rebuild(version);
      expect([row.bucketsRebuilt, builds.differing()]).toEqual([null, 0]);
      await builds.expectWhole(row, own, changed);
    }
  });

  test('where an event of a time comes that no bucket is sure of', async () => {
    const version = await builds.version(own, daily);
    await insert(['2150-01-01 00:00:00.000000']);
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBeNull();
    await builds.expectWhole(row, own, daily);
  });

  test('where the query has no buckets, or reads more than events', async () => {
    for (const sql of [
      'SELECT event, count() AS n FROM events GROUP BY event',
      'SELECT toDate(timestamp) AS d, max(group_0.properties.plan) AS p FROM events GROUP BY d',
    ]) {
      const query = { query: sqlOf(sql) };
      const version = await builds.version(own, query);
      const row = await builds.rebuild(version);
      expect([row.bucketsRebuilt, row.layout?.increment]).toEqual([null, undefined]);
    }
  });

  test('where the table of before cannot be read', async () => {
    const version = await builds.version(own, daily);
    const { tableName } = await world.row(version);
    await world.send(`DROP VIEW materialized.${tableName}`);
    const row = await builds.rebuild(version);
    expect(row.bucketsRebuilt).toBeNull();
    await builds.expectWhole(row, own, daily);
  });

  test('where a statement of the rebuild fails when some rows are stored already', async () => {
    const harmed = openBucketBuilds(world, (store) => ({
      ...store,
      copy: async (...given) => {
        await store.copy(...given);
        throw new Error('harm');
      },
    }));
    const version = await harmed.version(own, daily);
    await insert(['2026-01-08 13:00:00.000000']);
    const row = await harmed.rebuild(version);
    expect(row.bucketsRebuilt).toBeNull();
    await harmed.expectWhole(row, own, daily);
  });
});
