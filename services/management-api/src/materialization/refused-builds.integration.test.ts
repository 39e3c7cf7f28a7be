import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { enoughMs, eventsByName, openBuildWorld, type BuildWorld } from '../test/build-world.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

describe('Postgres refuses for good', () => {
  /** The pool of a process that has no right to some statements. */
  const poolThatRefuses = (refused: RegExp): Pool =>
    new Proxy(world.pool, {
      get: (pool, name) =>
        name === 'query'
          ? (sql: string, values: unknown[]) =>
              refused.test(sql)
                ? Promise.reject(Object.assign(new Error('permission denied for table x'), { code: '42501' }))
                : pool.query(sql, values)
          : Reflect.get(pool, name, pool).bind(pool),
    });

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
