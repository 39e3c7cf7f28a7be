import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ProjectTable } from '@millrace/clickhouse/users/project-view.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { buildLimits } from '../test/build-limits.ts';
import { enoughMs, eventsByName, openBuildWorld, type BuildWorld } from '../test/build-world.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

/** A pool whose statements are looked at. */
const poolThat = (first: (sql: string) => Promise<never> | undefined): Pool =>
  new Proxy(world.pool, {
    get: (pool, name) =>
      name === 'query'
        ? (sql: string, values: unknown[]) => first(sql) ?? pool.query(sql, values)
        : (Reflect.get(pool, name, pool) as () => unknown).bind(pool),
  });

describe('Postgres refuses for good', () => {
  /** The pool of a process that has no right to some statements. */
  const poolThatRefuses = (refused: RegExp): Pool =>
    poolThat((sql) =>
      refused.test(sql)
        ? Promise.reject(Object.assign(new Error('permission denied for table x'), { code: '42501' }))
        : undefined,
    );

  test('the switch: the build fails at once in words of ours, and is tried again soon', async () => {
    const version = await world.version(await world.project());
    const builder = world.builder({ pool: poolThatRefuses(/SET table_name/) });
    await builder.buildNow(version.versionId, enoughMs);
    expect(builder.ends.map(({ outcome }) => outcome)).toEqual(['failed']);
    const { status, error } = await world.row(version);
    expect([status, error]).toEqual(['Failed', new AppError('error').message]);
    const { next_build_at, claimed_until } = await world.claimOf(version);
    expect([claimed_until, next_build_at.getTime() - Date.now() < 60_000]).toEqual([null, true]);
  });

  test('the record of the failure too: the build lets its claim go, and another process builds', async () => {
    const version = await world.version(await world.project());
    const builder = world.builder({ pool: poolThatRefuses(/SET table_name|status = 'Failed'/), leaseMs: 300 });
    await builder.buildNow(version.versionId, enoughMs);
    expect(builder.ends.map(({ outcome }) => outcome)).toEqual(['void']);
    world.builder().start();
    await world.completed(version, 2);
  });
});

describe('texts that Postgres takes in few places', () => {
  const odd = 'a NUL \0, half a pair \ud83d';

  test('are kept in a layout', async () => {
    const columns = eventsByName.columns.map((column) => ({ ...column, name: `${column.name} ${odd}` }));
    const version = await world.version(await world.project(), { ...eventsByName, columns, plan: { [odd]: odd } });
    await world.builder().buildNow(version.versionId, enoughMs);
    expect(await world.row(version)).toMatchObject({
      status: 'Completed',
      layout: { columns: [{ name: `event ${odd}` }, { name: `n ${odd}` }], plan: { [odd]: odd } },
    });
  });

  test('do not keep a failure from being recorded', async () => {
    const sql = "SELECT toString(throwIf(1, 'three \\0 words')) AS event, 1 AS n" as TenantSql;
    const version = await world.version(await world.project(), { ...eventsByName, sql });
    await world.builder().buildNow(version.versionId, enoughMs);
    const { status, error } = await world.row(version);
    expect([status, error]).toEqual(['Failed', expect.stringMatching(/three .?words/)]);
  });
});

test('a switch whose reply is lost leaves the table to the sweep: the version may have it', async () => {
  const own = await world.project(3);
  const version = await world.version(own);
  let sent = 0;
  const pool = new Proxy(world.pool, {
    get: (real, name) =>
      name === 'query'
        ? async (sql: string, values: unknown[]) => {
            const reply = await real.query(sql, values);
            if (!sql.includes('SET table_name') || sent++ > 0) return reply;
            await world.pool.query('UPDATE materializations SET build_number = build_number + 1');
            throw new Error('Connection terminated unexpectedly');
          }
        : (Reflect.get(real, name, real) as () => unknown).bind(real),
  });
  const builder = world.builder({ pool });
  await builder.buildNow(version.versionId, enoughMs);
  expect([sent, builder.ends.map(({ outcome }) => outcome)]).toEqual([2, ['void']]);
  expect(await world.rowsOf(await world.row(version), own.projectId)).toBe(`"of ${own.projectId}",3`);
});

test('the first build is waited for also when another process has begun it', async () => {
  const version = await world.version(await world.project());
  const { onStep, reached, go } = world.heldAt('created');
  void world.builder({ onStep }).buildNow(version.versionId, enoughMs);
  await reached;
  const pool = poolThat((sql) => {
    if (sql.includes('AS has_slot')) go();
    return undefined;
  });
  await world.builder({ pool }).buildNow(version.versionId, enoughMs);
  expect((await world.row(version)).status).toBe('Completed');
});

describe('a statement beside the filling', () => {
  test('with SQL of users has the limits of the build, also one that asks for types', async () => {
    const slow = 'SELECT (SELECT toString(sum(sleepEachRow(0.1))) FROM numbers(600)) AS event, 1 AS n';
    const sql = `${slow} SETTINGS max_block_size = 1` as TenantSql;
    const version = await world.version(await world.project(), { ...eventsByName, sql });
    await world.builder({ limits: { ...buildLimits, secondsMax: 1 } }).buildNow(version.versionId, enoughMs);
    expect((await world.row(version)).error).toContain('1 seconds');
    expect(await world.running()).toBe(0);
  });

  test('of ours that ClickHouse refuses is no fault of the query: it is tried again soon, and none of our words are shown', async () => {
    const version = await world.version(await world.project());
    const { store } = world.partsOf();
    const createTable = async (table: ProjectTable, scope: Parameters<typeof store.createTable>[1]) => {
      await store.createTable(table, scope);
      await store.createTable(table, scope);
    };
    await world.builder({ store: { ...store, createTable } }).buildNow(version.versionId, enoughMs);
    expect(await world.row(version)).toMatchObject({ status: 'Failed', error: new AppError('error').message });
    expect((await world.claimOf(version)).retries).toBe(1);
    expect(await world.tables()).toEqual([]);
  });
});
