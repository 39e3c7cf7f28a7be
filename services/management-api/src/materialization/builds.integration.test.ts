import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { enoughMs, eventsByName, openBuildWorld, type BuildWorld } from '../test/build-world.ts';
import { hibernateUnused } from './hibernate.ts';
import { makeBuildDue } from './make-build-due.ts';
import { wake } from '../features/query-endpoints/materialization/wake.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

describe('a build', () => {
  test('stores the rows of the query in a table that only its own project can read', async () => {
    const [own, other] = [await world.project(3), await world.project(2)];
    const version = await world.version(own);
    await world.builder().buildNow(version.versionId, enoughMs);
    const row = await world.row(version);
    expect(row).toMatchObject({ status: 'Completed', error: '', rows: 1n, bytes: expect.any(BigInt) });
    expect(row.layout).toEqual({
      columns: [
        { name: 'event', column: 'c0', type: 'String', isKey: true },
        { name: 'n', column: 'c1', type: 'UInt64', isKey: false },
      ],
      plan: null,
    });
    expect(await world.rowsOf(row, own.projectId)).toBe(`"of ${own.projectId}",3`);
    await expect(world.rowsOf(row, other.projectId)).rejects.toThrow('the token of the team is not valid');
  });

  test('binds the parameters of the query, and keeps what the caller says of its plan', async () => {
    const own = await world.project();
    const sql = 'SELECT {a:String} AS event, {b:Array(UInt64)} AS n' as TenantSql;
    const version = await world.version(own, {
      ...eventsByName,
      sql,
      params: { a: "it's \\ é", b: [1, 2] },
      plan: { bucket: 'day' },
    });
    await world.builder().buildNow(version.versionId, enoughMs);
    const row = await world.row(version);
    expect(await world.rowsOf(row, own.projectId)).toBe('"it\'s \\ é","[1,2]"');
    expect(row.layout).toMatchObject({ plan: { bucket: 'day' } });
  });

  test.each([
    [
      'NULL in place of a tuple',
      'SELECT 1 AS a, simpleLinearRegressionOrNull(number, number) AS b, 2 AS c FROM numbers(0)',
      '1,\\N,2',
    ],
    [
      'keys that may be null',
      'SELECT if(number = 1, NULL, toString(number)) AS a, number AS b, 1 AS c FROM numbers(2)',
      '"0",0,1\n\\N,1,1',
    ],
    [
      'types that ClickHouse warns of',
      "SELECT toLowCardinality(1) AS a, map('k', 1) AS b, tuple(1, 'x') AS c",
      '1,"{\'k\':1}",1,"x"',
    ],
    [
      'times with a zone',
      "SELECT toDateTime64('2026-03-01 10:00:00.5', 1, 'Europe/Athens') AS a, toDate('2026-03-01') AS b, 1 AS c",
      '"2026-03-01 10:00:00.5","2026-03-01",1',
    ],
    ['names that would be SQL', 'SELECT 1 AS `a; DROP`, 2 AS `)`, 3 AS `c``d`', '1,2,3'],
    ['no rows', "SELECT 'x' AS a, 1 AS b, 2 AS c FROM numbers(0)", ''],
  ])('stores %s as they are', async (_name, sql, rows) => {
    const own = await world.project(0);
    const columns = ['a', 'b', 'c'].map((name, index) => ({ name, isKey: index === 0 }));
    const version = await world.version(own, { sql: sql as TenantSql, params: {}, columns });
    await world.builder().buildNow(version.versionId, enoughMs);
    const row = await world.row(version);
    expect([row.status, row.error]).toEqual(['Completed', '']);
    expect(await world.rowsOf(row, own.projectId)).toBe(rows);
  });

  test('is due again at 80 to 90 % of the version’s freshness after its rows were read', async () => {
    const version = await world.version(await world.project());
    await world.pool.query('UPDATE endpoint_versions SET data_freshness_seconds = 3600 WHERE id = $1', [
      version.versionId,
    ]);
    await world.builder().buildNow(version.versionId, enoughMs);
    const { lastMaterializedAt } = await world.row(version);
    const secondsOf = async (): Promise<number> =>
      ((await world.claimOf(version)).next_build_at.getTime() - (lastMaterializedAt?.getTime() ?? 0)) / 1000;
    expect(await secondsOf()).toBeGreaterThan(0.75 * 3600);
    expect(await secondsOf()).toBeLessThan(0.9 * 3600);
    await world.pool.query('UPDATE endpoint_versions SET data_freshness_seconds = 900 WHERE id = $1', [
      version.versionId,
    ]);
    await world.change(version, 'reschedule');
    expect(await secondsOf()).toBeGreaterThanOrEqual(0.8 * 900);
    expect(await secondsOf()).toBeLessThan(0.9 * 900);
    await makeBuildDue(world.pool, version.versionId);
    expect(await secondsOf()).toBeLessThan(0.8 * 900);
  });

  test('is due by the freshness that the version has when it ends', async () => {
    const version = await world.version(await world.project());
    const { onStep, reached, go } = world.heldAt('viewed');
    const waited = world.builder({ onStep }).buildNow(version.versionId, enoughMs);
    await reached;
    await world.pool.query('UPDATE endpoint_versions SET data_freshness_seconds = 900 WHERE id = $1', [
      version.versionId,
    ]);
    await world.change(version, 'reschedule');
    go();
    await waited;
    const { lastMaterializedAt } = await world.completed(version, 1);
    const { next_build_at } = await world.claimOf(version);
    expect(next_build_at.getTime() - (lastMaterializedAt?.getTime() ?? 0)).toBeLessThan(900_000);
  });

  test('that switches is news of its endpoint; one that runs or fails is none', async () => {
    const version = await world.version(await world.project());
    const news = async (): Promise<number> => {
      const { rows } = await world.pool.query<{ count: string }>(
        'SELECT count(*) FROM changes WHERE topic = $1 AND $2 = ANY(keys)',
        ['endpoint', version.endpointId],
      );
      return Number(rows[0]?.count);
    };
    const before = await news();
    await world.builder({ onStep: () => Promise.reject(new Error('harm')) }).buildNow(version.versionId, enoughMs);
    expect([await news(), (await world.row(version)).status]).toEqual([before, 'Failed']);
    await world.makeDue(version);
    await world.builder().buildNow(version.versionId, enoughMs);
    expect([await news(), (await world.row(version)).status]).toEqual([before + 1, 'Completed']);
  });
});

describe('the first build', () => {
  test('is waited for only so long, and goes on', async () => {
    const version = await world.version(await world.project());
    const { onStep, reached, go } = world.heldAt('created');
    const builder = world.builder({ onStep });
    await builder.buildNow(version.versionId, 1);
    await reached;
    expect((await world.row(version)).status).toBe('Running');
    go();
    expect((await world.completed(version, 1)).tableName).not.toBeNull();
  });

  test('is left to be done later while Postgres gives out none', async () => {
    const version = await world.version(await world.project());
    const away = () => Promise.reject(new Error('away'));
    await world.builder({ pool: { query: away, connect: away } }).buildNow(version.versionId, enoughMs);
    expect((await world.claimOf(version)).build_number).toBe(0);
    await world.builder().buildNow(version.versionId, enoughMs);
    expect((await world.row(version)).status).toBe('Completed');
  });

  test('waits for a free slot, and is left to be done later when there is none', async () => {
    const own = await world.project();
    const [first, second] = [await world.version(own), await world.version(own)];
    const { onStep, reached, go } = world.heldAt('created');
    void world.builder({ onStep }).buildNow(first.versionId, enoughMs);
    await reached;
    const full = world.builder({ slots: { runningMax: 1, runningPerProjectMax: 9 } });
    await full.buildNow(second.versionId, 100);
    expect((await world.claimOf(second)).build_number).toBe(0);
    const waited = full.buildNow(second.versionId, enoughMs);
    go();
    await waited;
    expect((await world.row(second)).status).toBe('Completed');
  });
});

describe('several processes', () => {
  test('do each build once', async () => {
    const own = await world.project();
    const versions = await Promise.all(Array.from({ length: 6 }, () => world.version(own)));
    const builders = [world.builder(), world.builder()];
    for (const builder of builders) builder.start();
    for (const version of versions) await world.completed(version, 1);
    // A version shows its table before its process has told the end of the build.
    await eventually(() => {
      const ends = builders.flatMap((builder) => builder.ends);
      expect(ends.map(({ outcome, rows }) => [outcome, rows])).toEqual(versions.map(() => ['completed', 1]));
    });
  });

  test('run no more builds at a time, in all and of one project, than they may', async () => {
    const [own, other] = [await world.project(), await world.project()];
    const versions = [
      await world.version(own),
      await world.version(own),
      await world.version(other),
      await world.version(other),
    ];
    const running = async (): Promise<Record<string, number>> => {
      const { rows } = await world.pool.query<{ project_id: number; count: string }>(
        'SELECT project_id, count(*) FROM materializations WHERE claimed_until > now() GROUP BY 1',
      );
      return Object.fromEntries(rows.map(({ project_id, count }) => [project_id, Number(count)]));
    };
    const { onStep, go } = world.heldAt('created');
    const limited = { slots: { runningMax: 2, runningPerProjectMax: 1 }, onStep };
    for (const builder of [world.builder(limited), world.builder(limited)]) builder.start();
    await eventually(async () => expect(await running()).toEqual({ [own.projectId]: 1, [other.projectId]: 1 }));
    await Promise.all(versions.map(({ versionId }) => world.builder(limited).buildNow(versionId, 0)));
    expect(await running()).toEqual({ [own.projectId]: 1, [other.projectId]: 1 });
    go();
    for (const version of versions) await world.completed(version, 1);
  });

  test('leave a build to the one that has it, for as long as it renews its claim', async () => {
    const version = await world.version(await world.project());
    const { onStep, reached, go } = world.heldAt('filled');
    const holder = world.builder({ onStep, leaseMs: 300 });
    void holder.buildNow(version.versionId, enoughMs);
    await reached;
    const first = (await world.claimOf(version)).claimed_until?.getTime() ?? 0;
    world.builder({ leaseMs: 300 }).start();
    await eventually(async () =>
      expect((await world.claimOf(version)).claimed_until?.getTime()).toBeGreaterThan(first + 600),
    );
    go();
    await world.completed(version, 1);
  });

  test('take over from one that does not renew its claim; what that one still does is void', async () => {
    const own = await world.project();
    const version = await world.version(own);
    const { onStep, reached, go } = world.heldAt('viewed');
    const { ended } = await world.beginWithoutRenewing(version, { onStep, leaseMs: 50 });
    await reached;
    world.builder().start();
    const { tableName } = await world.completed(version, 2);
    go();
    expect((await ended).outcome).toBe('void');
    expect(await world.row(version)).toMatchObject({ status: 'Completed', tableName });
    expect(await world.tables()).toEqual([`internal.${tableName}`, `materialized.${tableName}`]);
  });
});

describe('the sweep', () => {
  test('leaves a table to the runs that read it, for a while after a switch', async () => {
    const own = await world.project();
    const version = await world.version(own);
    const builder = world.builder({ graceMs: 3_600_000 });
    await builder.buildNow(version.versionId, enoughMs);
    const before = await world.row(version);
    await world.makeDue(version);
    await builder.buildNow(version.versionId, enoughMs);
    expect(await builder.sweep()).toBe(0);
    expect(await world.rowsOf(before, own.projectId)).toBe(`"of ${own.projectId}",3`);
    expect(await world.builder().sweep()).toBe(1);
    await expect(world.rowsOf(before, own.projectId)).rejects.toThrow('UNKNOWN_TABLE');
  });

  test('leaves tables of other systems alone, and those of builds under way', async () => {
    const version = await world.version(await world.project());
    const foreign = 'm_ffffffff_0_1';
    await world.send(`CREATE TABLE IF NOT EXISTS internal.${foreign} (x UInt8) ENGINE = MergeTree ORDER BY x`);
    const { onStep, reached, go } = world.heldAt('created');
    const waited = world.builder({ onStep }).buildNow(version.versionId, enoughMs);
    await reached;
    expect(await world.builder().sweep()).toBe(0);
    go();
    await waited;
    await world.completed(version, 1);
    expect(await world.send(`EXISTS TABLE internal.${foreign}`)).toBe('1');
    await world.send(`DROP TABLE internal.${foreign}`);
  });
});

describe('hibernation', () => {
  test('pauses what was not run for 30 days; a run ends it', async () => {
    const own = await world.project();
    const [unused, used, young] = [await world.version(own), await world.version(own), await world.version(own)];
    const builder = world.builder();
    for (const { versionId } of [unused, used, young]) await builder.buildNow(versionId, enoughMs);
    const asOf = "now() - interval '31 days'";
    await world.pool.query(`UPDATE materializations SET requested_at = ${asOf} WHERE version_id = ANY($1)`, [
      [unused.versionId, used.versionId],
    ]);
    await world.pool.query(`UPDATE endpoint_versions SET last_executed_at = ${asOf} WHERE id = $1`, [unused.versionId]);
    await world.pool.query('UPDATE endpoint_versions SET last_executed_at = now() WHERE id = $1', [used.versionId]);
    expect(await hibernateUnused(world.pool)).toBe(1);
    expect(await world.row(unused)).toMatchObject({ tableName: null, hibernatedAt: expect.any(Date) });
    await builder.sweep();
    expect(await world.tables()).toHaveLength(4);
    await builder.buildNow(unused.versionId, enoughMs);
    expect((await world.row(unused)).tableName).toBeNull();
    await wake(world.api.prisma, unused.versionId, 100);
    expect(await hibernateUnused(world.pool)).toBe(0);
    await builder.buildNow(unused.versionId, enoughMs);
    expect(await world.row(unused)).toMatchObject({ status: 'Completed', hibernatedAt: null });
  });
});
