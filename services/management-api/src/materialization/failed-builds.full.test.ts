import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startProxyTo } from '@millrace/testkit/tcp-proxy.ts';
import { buildLimits } from '../test/build-limits.ts';
import type { BuildStep } from './making/build-parts.ts';
import { enoughMs, eventsByName, openBuildWorld, slowQuery, type BuildWorld } from '../test/build-world.ts';
import { makeBuildDue } from './make-build-due.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

describe('a limit', () => {
  const grouped = 'SELECT toString(cityHash64(number)) AS event, count() AS n FROM numbers(3000000) GROUP BY event';
  test.each([
    [
      'rows that it stores',
      { rowsMax: 1_234 },
      'SELECT toString(number) AS event, number AS n FROM numbers(5000)',
      '1,234 rows',
    ],
    [
      'bytes that it stores',
      { bytesMax: 2_345 },
      'SELECT randomPrintableASCII(1000) AS event, number AS n FROM numbers(5000)',
      '2,345 bytes',
    ],
    ['time', { secondsMax: 1 }, slowQuery.sql, '1 seconds'],
    ['memory', { memoryBytesMax: 10_000_000 }, grouped, '10,000,000 bytes of memory'],
    [
      'rows that it reads',
      { readRowsMax: 1_500 },
      'SELECT toString(number) AS event, number AS n FROM numbers(5000)',
      '1,500 rows',
    ],
    [
      'bytes that it reads',
      { readBytesMax: 1_600 },
      'SELECT toString(number) AS event, number AS n FROM numbers(5000)',
      '1,600 bytes',
    ],
  ])('of the %s ends a build, and its text says the figure', async (_name, limits, sql, figure) => {
    const version = await world.version(await world.project(0), { ...eventsByName, sql: sql as TenantSql });
    await world.builder({ limits: { ...buildLimits, ...limits } }).buildNow(version.versionId, enoughMs);
    const row = await world.row(version);
    expect(row).toMatchObject({ status: 'Failed', tableName: null });
    expect(row.error).toContain(figure);
    expect(await world.tables()).toEqual([]);
    // It would fail again: it is tried when the schedule says so.
    expect((await world.claimOf(version)).next_build_at.getTime() - Date.now()).toBeGreaterThan(3_600_000);
    await makeBuildDue(world.pool, version.versionId);
    expect((await world.claimOf(version)).next_build_at.getTime() - Date.now()).toBeGreaterThan(3_600_000);
  });

  test('of the time is one for all statements of a build together', async () => {
    // ClickHouse computes the sub-query for the types, and again for the rows.
    const sql = 'SELECT toString((SELECT sleep(1.2))) AS event, toUInt64(1) AS n' as TenantSql;
    const version = await world.version(await world.project(0), { ...eventsByName, sql });
    await world.builder({ limits: { ...buildLimits, secondsMax: 2 } }).buildNow(version.versionId, enoughMs);
    const { status, error } = await world.row(version);
    expect([status, error]).toEqual([
      'Failed',
      'The build took longer than 2 seconds, the most that a build may take.',
    ]);
  });

  test('of the bytes that it stores ends a build before all its rows are there', async () => {
    const version = await world.version(await world.project(0), slowQuery);
    const { store } = world.partsOf();
    const sizeOf = () => Promise.resolve({ rows: 0, bytes: buildLimits.bytesMax + 1 });
    const builder = world.builder({ store: { ...store, sizeOf }, measureEveryMs: 10 });
    await builder.buildNow(version.versionId, enoughMs);
    expect((await world.row(version)).error).toContain('1,000,000,000 bytes');
    expect(await world.running()).toBe(0);
  });

  test('of the query itself is told in the words of the engine', async () => {
    const sql = "SELECT toString(throwIf(number = 3, 'three')) AS event, number AS n FROM numbers(5)" as TenantSql;
    const version = await world.version(await world.project(0), { ...eventsByName, sql });
    await world.builder().buildNow(version.versionId, enoughMs);
    expect(await world.row(version)).toMatchObject({ status: 'Failed', error: expect.stringContaining('three') });
  });
});

describe('an engine that is away during a build', () => {
  test('ClickHouse: the build fails, the table of before stays, and the next build is soon', async () => {
    const own = await world.project();
    const version = await world.version(own);
    const { proxy, url } = await startProxyTo(world.api.clickhouse.url);
    try {
      await world.builder().buildNow(version.versionId, enoughMs);
      const before = await world.row(version);
      await world.makeDue(version);
      const onStep = async (at: BuildStep): Promise<void> => {
        if (at === 'filling') proxy.state = 'closed';
        await Promise.resolve();
      };
      const builder = world.builder({ clickhouseUrl: url, onStep });
      world.queries.set(version.versionId, slowQuery);
      await builder.buildNow(version.versionId, enoughMs);
      expect(await world.row(version)).toMatchObject({ status: 'Failed', tableName: before.tableName });
      expect((await world.claimOf(version)).next_build_at.getTime() - Date.now()).toBeLessThan(60_000);
      proxy.state = 'open';
      world.queries.delete(version.versionId);
      await world.makeDue(version);
      await world.builder().buildNow(version.versionId, enoughMs);
      const after = await world.completed(version, 3);
      // The query of before is ended by the process that lost it.
      await eventually(async () => expect(await world.running()).toBe(0), { deadlineMs: enoughMs });
      await builder.sweep();
      expect(await world.tables()).toEqual([`internal.${after.tableName}`, `materialized.${after.tableName}`]);
    } finally {
      proxy.state = 'open';
      await proxy.close();
    }
  }, 60_000);

  test('Postgres, for less than the life of a claim: the build switches when it is back', async () => {
    const version = await world.version(await world.project());
    const { proxy, url } = await startProxyTo(world.managementUrl);
    try {
      const pool = world.openPool(url);
      const { onStep, reached, go } = world.heldAt('viewed');
      const builder = world.builder({ pool, onStep });
      const waited = builder.buildNow(version.versionId, enoughMs);
      await reached;
      proxy.state = 'closed';
      go();
      await expect(pool.query('SELECT 1')).rejects.toThrow();
      expect((await world.row(version)).status).toBe('Running');
      proxy.state = 'open';
      await waited;
      await world.completed(version, 1);
    } finally {
      await proxy.close();
    }
  });

  test('Postgres, for longer: another process builds, and the first one’s table is none', async () => {
    const own = await world.project();
    const version = await world.version(own);
    const { proxy, url } = await startProxyTo(world.managementUrl);
    try {
      const { onStep, reached, go } = world.heldAt('viewed');
      const cut = world.builder({ pool: world.openPool(url), onStep, leaseMs: 500 });
      const waited = cut.buildNow(version.versionId, enoughMs);
      await reached;
      proxy.state = 'closed';
      go();
      await waited;
      expect(cut.ends.map(({ outcome }) => outcome)).toEqual(['void']);
      const other = world.builder();
      other.start();
      const { tableName } = await world.completed(version, 2);
      await other.sweep();
      expect(await world.tables()).toEqual([`internal.${tableName}`, `materialized.${tableName}`]);
    } finally {
      await proxy.close();
    }
  });
});
