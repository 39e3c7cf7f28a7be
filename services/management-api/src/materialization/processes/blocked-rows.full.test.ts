import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Pool } from '@millrace/postgres/pool.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { wake } from '../../features/query-endpoints/materialization/wake.ts';
import { enoughMs, openBuildWorld, type BuildWorld, type TestVersion } from '../../test/build-world.ts';
import { claimBuild, claimLock } from '../claim-build.ts';
import { hibernateUnused } from '../hibernate.ts';

// Locks of other transactions in Postgres: nothing of the builds waits for them without end, and none waits in a circle.
let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());
afterEach(() => world.endTest());

const claiming = { holder: 'test', leaseMs: 10_000, runningMax: 100, runningPerProjectMax: 100 };

/** A transaction that other connections may meet. */
async function transaction<Result>(
  work: (query: (sql: string, values?: unknown[]) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const client = await world.pool.connect();
  try {
    await client.query('BEGIN');
    return await work((sql, values) => client.query(sql, values));
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}

/** Statements of this database that wait for a lock. Builders may not see those of others. */
async function waiting(): Promise<number> {
  const [found] = await world.api.prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return Number(found?.count);
}

const hibernated = async (...versions: TestVersion[]): Promise<boolean[]> =>
  await Promise.all(versions.map(async (version) => (await world.row(version)).hibernatedAt !== null));

describe('a claim', () => {
  test('gives up when another process holds the lock of claims, also where statements have no limit', async () => {
    const pool = world.openPool(world.managementUrl, { statementTimeoutMs: 0 });
    await transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', [claimLock]);
      await expect(claimBuild(pool, claiming)).rejects.toThrow('lock timeout');
    });
    expect(await claimBuild(pool, claiming)).toBeNull();
  });

  test('of a process that has frozen is ended by Postgres, and another process has the build', async () => {
    const version = await world.version(await world.project(0));
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    const frozen = freezingAt('COMMIT', thawed);
    const lost = claimBuild(frozen.pool, claiming).then(
      () => 'claimed',
      () => 'lost',
    );
    await frozen.reached;
    const claim = await eventually(async () => await claimBuild(world.pool, claiming), { deadlineMs: enoughMs });
    thaw();
    expect([claim?.versionId, claim?.buildNumber, await lost]).toEqual([version.versionId, 1, 'lost']);
  });

  /** A pool of a process that freezes before it sends a statement. */
  function freezingAt(
    statement: string,
    thawed: Promise<void>,
  ): { pool: Pick<Pool, 'connect'>; reached: Promise<void> } {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const connect = async () => {
      const client = await world.pool.connect();
      const query = async (sql: string, values?: unknown[]): Promise<unknown> => {
        if (sql === statement) {
          resolve();
          await thawed;
        }
        return await client.query(sql, values);
      };
      return { query, release: (error?: boolean) => client.release(error) };
    };
    return { pool: { connect } as unknown as Pick<Pool, 'connect'>, reached };
  }
});

describe('hibernation', () => {
  test('leaves a version alone that another transaction holds', async () => {
    const own = await world.project(0);
    const [held, free] = [await world.version(own), await world.version(own)];
    await world.pool.query("UPDATE materializations SET requested_at = now() - interval '40 days'");
    await transaction(async (query) => {
      await query('SELECT 1 FROM materializations WHERE version_id = $1 FOR UPDATE', [held.versionId]);
      expect(await hibernateUnused(world.pool)).toBe(1);
    });
    expect(await hibernated(held, free)).toEqual([false, true]);
    expect(await hibernateUnused(world.pool)).toBe(1);
  });

  test('ends without a deadlock beside a change of the same version: both lock the project first', async () => {
    const version = await world.version(await world.project(0));
    await world.pool.query('UPDATE materializations SET hibernated_at = now() WHERE version_id = $1', [
      version.versionId,
    ]);
    let woken: Promise<void> = Promise.resolve();
    const client = await world.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE', [version.projectId]);
      woken = wake(world.api.prisma, version.versionId, 100);
      await eventually(async () => expect(await waiting()).toBe(1), { deadlineMs: enoughMs });
      await client.query("SET LOCAL lock_timeout = '500ms'");
      await client.query('UPDATE materializations SET requested_at = now() WHERE version_id = $1', [version.versionId]);
      await client.query('COMMIT');
    } finally {
      await client.query('ROLLBACK');
      client.release();
      await woken;
    }
    expect(await hibernated(version)).toEqual([false]);
  });
});
