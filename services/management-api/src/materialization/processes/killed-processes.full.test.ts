import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startProxyTo } from '@millrace/testkit/tcp-proxy.ts';
import { startApiProcess, type ApiProcess } from '../../test/api-process.ts';
import { longAgo } from '../../test/bucket-builds.ts';
import { openBuildWorld, type BuildWorld, type TestRow, type TestVersion } from '../../test/build-world.ts';
import { startStatementProxy, type HeldAt, type StatementProxy } from '../../test/statement-proxy.ts';
import type { Seed } from '../../test/test-api.ts';
import { tablePrefix } from '../table-name.ts';

// Builds of real processes: whichever is killed, and whatever is away, a run has the rows of before or the new ones, and nothing is left over.
let world: BuildWorld;
let clickhouse: StatementProxy;
const processes = new Set<ApiProcess>();

beforeAll(async () => {
  world = await openBuildWorld();
  clickhouse = await startStatementProxy(world.api.clickhouse.url);
}, 60_000);
afterEach(async () => {
  clickhouse.isAway = false;
  await Promise.all([...processes].map((one) => one.kill()));
  processes.clear();
  await world.endTest();
});
afterAll(async () => {
  await clickhouse?.close();
  await world?.close();
});

async function start(changes: Readonly<Record<string, string>> = {}): Promise<ApiProcess> {
  const started = await startApiProcess({
    ...world.api.environment,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_MATERIALIZER_PASSWORD: world.api.clickhouse.materializer.password,
    ...changes,
  });
  processes.add(started);
  return started;
}

const totals = 'SELECT event, count() AS n FROM events WHERE event LIKE {variables.name} GROUP BY event';
let made = 0;

interface TestEndpoint extends TestVersion {
  name: string;
  seed: Seed;
}

/** An endpoint that a process has made materialized; its table is there. */
async function materialized(seed: Seed, { url }: Pick<ApiProcess, 'url'>, sql = totals): Promise<TestEndpoint> {
  const name = `totals-${++made}`;
  const query = { kind: 'HogQLQuery', query: sql, variables: { name: { code_name: 'name', value: 'of %' } } };
  const { status, body } = await world.api
    .as(seed.key, { url })
    .send<{ id: string; current_version_id: string }>('post', `/api/projects/${seed.projectId}/endpoints`)
    .send({ name, query, is_materialized: true });
  expect([status, body]).toEqual([201, body]);
  const endpoint = { name, seed, versionId: body.current_version_id, endpointId: body.id, projectId: seed.projectId };
  await world.completed(endpoint, 1);
  return endpoint;
}

interface Run {
  path: string;
  results: unknown[][];
}

const send = (endpoint: TestEndpoint, url = world.api.api.url, refresh = 'force') =>
  world.api
    .as(endpoint.seed.key, { url })
    .send<Run>('post', `/api/projects/${endpoint.projectId}/endpoints/${endpoint.name}/run`)
    .send({ variables: { name: 'of %' }, refresh, debug: true });

async function read(endpoint: TestEndpoint, url?: string, refresh?: string): Promise<Run> {
  const { status, body } = await send(endpoint, url, refresh);
  expect([status, body]).toMatchObject([200, { path: expect.any(String) }]);
  return { path: body.path, results: body.results };
}

const rowsOf = ({ projectId }: TestEndpoint, count: number): Run => ({
  path: 'materialized',
  results: [[`of ${projectId}`, count]],
});

/** As if the life of all claims were over. */
async function endClaims(): Promise<void> {
  await world.pool.query(
    'UPDATE materializations SET claimed_until = statement_timestamp() WHERE claimed_until IS NOT NULL',
  );
  await world.pool.query('UPDATE build_slots SET held_until = statement_timestamp()');
}

/** The sweep of a process that has waited for the grace of all tables: one version's are left. */
async function expectSwept({ tableName }: TestRow): Promise<void> {
  await world.builder().sweep();
  expect(await world.tables()).toEqual([`internal.${tableName}`, `materialized.${tableName}`]);
}

describe('a process that is killed', () => {
  test.each<[name: string, pattern: RegExp, at: HeldAt]>([
    ['has claimed a build', /^DESCRIBE/, 'request'],
    ['has created the table', /^INSERT INTO internal\./, 'request'],
    ['fills the table', /^INSERT INTO internal\./, 'sent'],
    ['has filled the table, and does not know it', /^INSERT INTO internal\./, 'reply'],
    ['has made the view, and does not know it', /^CREATE (OR REPLACE )?VIEW materialized\./, 'reply'],
  ])(
    'when it %s: runs have the table of before until another process has built the next',
    async (_, pattern, at) => {
      const seed = await world.project(3);
      const dying = await start();
      const endpoint = await materialized(seed, dying);
      const before = await world.row(endpoint);
      expect(await read(endpoint)).toEqual(rowsOf(endpoint, 3));
      await world.addEvents(seed, 2);
      const held = clickhouse.hold(pattern, at);
      await world.makeDue(endpoint);
      await held.reached;
      await dying.kill();

      const killed = await world.row(endpoint);
      expect([killed.status, killed.tableName]).toEqual(['Running', before.tableName]);
      expect(await read(endpoint)).toEqual(rowsOf(endpoint, 3));
      await world.builder().sweep();
      expect(await read(endpoint)).toEqual(rowsOf(endpoint, 3));

      const next = await start();
      // Nobody takes a build whose claim goes on.
      expect((await world.claimOf(endpoint)).build_number).toBe(2);
      await endClaims();
      const seen = await readUntil(endpoint, 3);
      expect(seen.every((results) => JSON.stringify(results) === JSON.stringify(rowsOf(endpoint, 3).results))).toBe(
        true,
      );
      const after = await world.completed(endpoint, 3);
      await eventually(async () => expect(await read(endpoint, next.url)).toEqual(rowsOf(endpoint, 5)));
      await eventually(async () => expect(await world.running()).toBe(0));
      await expectSwept(after);
    },
    60_000,
  );

  test('when it has switched, before the table of before is removed: runs have the new one', async () => {
    const seed = await world.project(3);
    const dying = await start();
    const endpoint = await materialized(seed, dying);
    const before = await world.row(endpoint);
    await world.addEvents(seed, 2);
    await world.makeDue(endpoint);
    const after = await world.completed(endpoint, 2);
    await dying.kill();
    expect(await world.tables()).toContain(`internal.${before.tableName}`);
    await eventually(async () => expect(await read(endpoint)).toEqual(rowsOf(endpoint, 5)));
    await expectSwept(after);
    expect(await read(endpoint)).toEqual(rowsOf(endpoint, 5));
  }, 60_000);

  test('loses its build to another when its claim ends by itself', async () => {
    const seed = await world.project(3);
    const dying = await start();
    const endpoint = await materialized(seed, dying);
    const held = clickhouse.hold(/^INSERT INTO internal\./, 'reply');
    await world.makeDue(endpoint);
    await held.reached;
    await dying.kill();
    await start();
    const { claimed_until: until } = await world.claimOf(endpoint);
    await eventually(async () => expect((await world.claimOf(endpoint)).build_number).toBe(3), { deadlineMs: 60_000 });
    const { rows } = await world.pool.query<{ claimed_at: Date }>(
      'SELECT claimed_at FROM materializations WHERE version_id = $1',
      [endpoint.versionId],
    );
    expect(rows[0]?.claimed_at.getTime()).toBeGreaterThanOrEqual(until?.getTime() ?? Infinity);
    await expectSwept(await world.completed(endpoint, 3));
  }, 100_000);
});

/** Rows of all runs until the build of this number has ended, but for those that it may have changed. */
async function readUntil(endpoint: TestEndpoint, build: number): Promise<unknown[][][]> {
  const seen: unknown[][][] = [];
  await eventually(
    async () => {
      const { results } = await read(endpoint);
      const { build_number, claimed_until } = await world.claimOf(endpoint);
      if (build_number < build || claimed_until !== null) seen.push(results);
      expect([build_number, claimed_until]).toEqual([build, null]);
    },
    { deadlineMs: 20_000 },
  );
  return seen;
}

describe('a process that is killed while it builds the buckets that changed', () => {
  const copy = /^INSERT INTO internal\.[^]* FROM materialized\./;
  const changed = /^INSERT INTO internal\.(?![^]* FROM materialized\.)/;
  const hourly = { unit: 'toStartOfHour', at: (bucket: number) => `2026-01-01 0${bucket}:30:00.000000` };
  const daily = { unit: 'toDate', at: (bucket: number) => `2026-01-0${bucket} 12:00:00.000000` };

  /** Runs as lists in one order: neither the table nor the query has one. */
  const sorted = ({ path, results }: Run): Run => ({
    path,
    results: results.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  });

  test.each<[name: string, buckets: typeof hourly, pattern: RegExp, at: HeldAt]>([
    ['looks for them', daily, / AS is_sound/, 'sent'],
    ['has found them', hourly, / AS is_sound/, 'reply'],
    ['has created the table', daily, copy, 'request'],
    ['copies the others', hourly, copy, 'sent'],
    ['has copied the others', hourly, changed, 'request'],
    ['computes them', daily, changed, 'sent'],
    ['has computed them, and does not know it', hourly, changed, 'reply'],
    ['has made the view, and does not know it', daily, /^CREATE (OR REPLACE )?VIEW materialized\./, 'reply'],
  ])(
    'when it %s: the next has the rows of the query, none lost and none twice',
    async (_, { unit, at: timeIn }, pattern, at) => {
      const seed = await world.project(0);
      const counts = new Map<number, number>();
      const insert = async (buckets: readonly number[], came?: string): Promise<void> => {
        for (const bucket of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
        await world.api.insertEvents(
          buckets.map((bucket) => ({
            team_id: seed.projectId,
            event: `of ${seed.projectId}`,
            timestamp: timeIn(bucket),
            ...(came !== undefined && { inserted_at: came }),
          })),
        );
      };
      await insert([1, 1, 2, 3, 4, 5, 6, 7, 8], longAgo);
      const dying = await start();
      const endpoint = await materialized(
        seed,
        dying,
        `SELECT ${unit}(timestamp) AS bucket, event, count() AS n FROM events WHERE event LIKE {variables.name} GROUP BY bucket, event`,
      );
      const before = sorted(await read(endpoint));
      expect(before).toMatchObject({ path: 'materialized', results: { length: 8 } });
      await insert([2, 9]);
      const held = clickhouse.hold(pattern, at);
      await world.makeDue(endpoint);
      await held.reached;
      // One comes while the build goes on, one while there is no process.
      await insert([4]);
      await dying.kill();
      await insert([5]);
      expect(sorted(await read(endpoint))).toEqual(before);

      const { url } = await start();
      await endClaims();
      const after = await world.completed(endpoint, 3);
      expect(after.bucketsRebuilt).toBe(4);
      await eventually(async () => expect((await read(endpoint, url)).results).toHaveLength(9));
      const table = sorted(await read(endpoint, url));
      const inline = sorted(await read(endpoint, url, 'direct'));
      expect(table).toEqual({ path: 'materialized', results: inline.results });
      expect(inline.path).toBe('inline');
      expect(table.results.map((row) => row.at(-1))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => counts.get(at)));
      await eventually(async () => expect(await world.running()).toBe(0));
      await expectSwept(after);
      expect(await partRows()).toEqual([`${after.tableName}\t9`]);
    },
    60_000,
  );
});

/** Tables with parts, and their rows. */
async function partRows(): Promise<string[]> {
  const found = await world.send(
    `SELECT table, sum(rows) FROM system.parts WHERE active AND database = 'internal' AND startsWith(table, '${tablePrefix(world.scope)}') GROUP BY table FORMAT TSVRaw`,
  );
  return found.split('\n');
}

describe('two processes', () => {
  test('do each of twenty builds once, and no more at a time than they may', async () => {
    const settings = { ENDPOINT_BUILDS_MAX: '3', ENDPOINT_BUILDS_PER_PROJECT_MAX: '2' };
    const other = await startStatementProxy(world.api.clickhouse.url);
    const seenBefore = clickhouse.seen.length;
    try {
      const first = await start(settings);
      await start({ ...settings, CLICKHOUSE_URL: other.url });
      const seeds = await Promise.all([1, 2, 3, 4].map(() => world.project(3)));
      const endpoints: TestEndpoint[] = [];
      for (const seed of seeds) for (let count = 0; count < 5; count++) endpoints.push(await materialized(seed, first));
      for (const seed of seeds) await world.addEvents(seed, 1);
      const inserts = /^INSERT INTO internal\./;
      const count = (): number[] =>
        [clickhouse, other].map(({ seen }) => seen.filter((sql) => inserts.test(sql)).length);
      const before = count();
      const done = (): number[] => count().map((now, at) => now - (before[at] ?? 0));
      let number = 1;
      // The one that looks first may be done with all before the other looks.
      do {
        number += 1;
        await world.pool.query('UPDATE materializations SET next_build_at = statement_timestamp()');
        for (const endpoint of endpoints) await world.completed(endpoint, number);
      } while (Math.min(...done()) === 0 && number < 20);
      expect(done().reduce((sum, one) => sum + one, 0)).toBe(20 * (number - 1));
      expect(Math.min(...done())).toBeGreaterThan(0);
      const targets = [...clickhouse.seen.slice(seenBefore), ...other.seen].flatMap(
        (sql) => /^INSERT INTO (internal\.\w+)/.exec(sql)?.[1] ?? [],
      );
      expect(new Set(targets).size).toBe(targets.length);
      for (const proxy of [clickhouse, other]) expect(proxy.mostAtOnce(inserts)).toBeLessThanOrEqual(3);
      for (const endpoint of endpoints)
        await eventually(async () => expect(await read(endpoint)).toEqual(rowsOf(endpoint, 4)));
    } finally {
      await other.close();
    }
  }, 100_000);
});

describe('an engine that is away', () => {
  test('Postgres, during a build: the build switches when it is back', async () => {
    const { proxy, url } = await startProxyTo(world.api.environment.DATABASE_URL);
    try {
      const seed = await world.project(3);
      const endpoint = await materialized(seed, await start({ DATABASE_URL: url }));
      await world.addEvents(seed, 2);
      const held = clickhouse.hold(/^INSERT INTO internal\./, 'reply');
      await world.makeDue(endpoint);
      await held.reached;
      proxy.state = 'closed';
      const viewed = clickhouse.seen.length;
      held.go();
      await eventually(() => expect(clickhouse.seen.slice(viewed).join('\n')).toContain('VIEW materialized.'));
      expect((await world.row(endpoint)).status).toBe('Running');
      expect(await read(endpoint)).toEqual(rowsOf(endpoint, 3));
      proxy.state = 'open';
      const after = await world.completed(endpoint, 2);
      await eventually(async () => expect(await read(endpoint)).toEqual(rowsOf(endpoint, 5)));
      await expectSwept(after);
    } finally {
      await proxy.close();
    }
  }, 60_000);

  test('ClickHouse, during a build and runs: runs are 503, the table of before stays, and a later build is whole', async () => {
    const seed = await world.project(3);
    const { url } = await start();
    const endpoint = await materialized(seed, { url });
    const before = await world.row(endpoint);
    await world.addEvents(seed, 2);
    const held = clickhouse.hold(/^INSERT INTO internal\./, 'sent');
    await world.makeDue(endpoint);
    await held.reached;
    clickhouse.isAway = true;
    held.go();
    const refused = await send(endpoint, url);
    expect([refused.status, refused.body]).toMatchObject([503, { code: 'unavailable' }]);
    await eventually(async () => expect((await world.row(endpoint)).status).toBe('Failed'), { deadlineMs: 20_000 });
    expect((await world.row(endpoint)).tableName).toBe(before.tableName);
    clickhouse.isAway = false;
    expect((await read(endpoint, url)).results).toEqual(rowsOf(endpoint, 3).results);
    await world.makeDue(endpoint);
    const after = await world.completed(endpoint, 3);
    await eventually(async () => expect(await read(endpoint, url)).toEqual(rowsOf(endpoint, 5)));
    await expectSwept(after);
  }, 60_000);
});
