import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { queryAs } from '@millrace/engines/canary-setup.ts';
import type { Materialization } from '@millrace/postgres/generated/client.ts';
import { createPool, type Pool, type PoolOptions } from '@millrace/postgres/pool.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { createQueryEndings } from '../queries/execute/query-endings.ts';
import { buildLimits } from './build-limits.ts';
import { startTestApi, type Seed } from './test-api.ts';
import { build, type BuildEnd } from '../materialization/build.ts';
import type { BuildQuery, TableLayout } from '../materialization/build-request.ts';
import { createBuildStore } from '../materialization/build-store.ts';
import { claimBuild } from '../materialization/claim-build.ts';
import { createBuilds, type Builds, type BuildsOptions, type ComparedBuild } from '../materialization/builds.ts';
import { changeMaterialization, type MaterializationChange } from '../materialization/change-materialization.ts';
import { ClaimLostError } from '../materialization/hold-claim.ts';
import type { BuildParts, BuildStep } from '../materialization/making/build-parts.ts';
import { readScope, tablePrefix } from '../materialization/table-name.ts';

export type BuildWorld = Awaited<ReturnType<typeof openBuildWorld>>;

export interface TestVersion {
  versionId: string;
  endpointId: string;
  projectId: number;
}

/** A row with its layout read. */
export type TestRow = Omit<Materialization, 'layout'> & { layout: TableLayout | null };

/** A builder of tests, which is a process as far as one process can be another. */
export type TestBuilder = Builds & { ends: ComparedBuild[] };

/** Longest that a test waits for a build. */
export const enoughMs = 20_000;

/** A build of a process that is held, or was killed, at one of its steps. */
export interface HeldStep {
  onStep: (step: BuildStep) => Promise<void>;
  /** Resolves when the build comes to the step. */
  reached: Promise<void>;
  go: () => void;
}

/** Events by name, of all projects: only the wall of the engine says whose. */
export const eventsByName: BuildQuery = {
  sql: 'SELECT event, count() AS n FROM analytics.events GROUP BY event' as TenantSql,
  params: {},
  columns: [
    { name: 'event', isKey: true },
    { name: 'n', isKey: false },
  ],
};

/** A query that takes about a minute. */
export const slowQuery: BuildQuery = {
  ...eventsByName,
  sql: 'SELECT toString(number) AS event, toUInt64(sleepEachRow(0.05)) AS n FROM numbers(1200) SETTINGS max_block_size = 1' as TenantSql,
};

const manySlots = { runningMax: 100, runningPerProjectMax: 100 };

/** Real engines, with projects, versions and builders. Builders have the rights of production. */
export async function openBuildWorld() {
  // The builders are those of the tests.
  const api = await startTestApi({ CLICKHOUSE_MATERIALIZER_PASSWORD: '' });
  const asManagement = new URL(api.databaseUrl);
  asManagement.searchParams.set('options', `-c role=${postgresRoles.management}`);
  const pools: Pool[] = [];
  const openPool = (url = asManagement.href, options: Partial<PoolOptions> = {}): Pool => {
    const onError = (): void => undefined;
    const pool = createPool(url, { applicationName: 'builds', silenceMsMax: 1_000, onError, ...options });
    pools.push(pool);
    return pool;
  };
  const pool = openPool();
  const scope = await readScope(pool);
  const closing: (() => Promise<void>)[] = [];
  const builders = new Set<Builds>();
  const held = new Set<() => void>();
  const killed = new Set<Promise<unknown>>();

  /** A build that comes to this step, and waits there until it is let go, at the latest when the test ends. */
  function heldAt(step: BuildStep): HeldStep {
    const reached = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    held.add(go.resolve);
    const onStep = async (at: BuildStep): Promise<void> => {
      if (at !== step) return;
      reached.resolve();
      await go.promise;
    };
    return { onStep, reached: reached.promise, go: go.resolve };
  }
  const queries = new Map<string, BuildQuery>();
  const { url, materializer, tenant, admin, tokenSecret } = api.clickhouse;
  const headersOf = (teamId: number) => tenantHeaders(tokenSecret, teamId);
  const login = ({ username, password }: { username: string; password: string }) => ({ user: username, password });

  /** Parts of a builder, over other ways to the engines or with other limits. */
  function partsOf({ clickhouseUrl = url, limits = buildLimits } = {}): Omit<BuildParts, 'pool'> {
    const connection = openQueryConnection({ url: clickhouseUrl, ...login(materializer) });
    const logger = { info: () => undefined, warn: () => undefined };
    const endings = createQueryEndings(connection, logger, 50);
    closing.push(async () => {
      endings.close();
      await connection.close();
    });
    return {
      store: createBuildStore(connection, { headersOf, limits }),
      compileBuild: (versionId) => Promise.resolve(queries.get(versionId) ?? eventsByName),
      limits,
      endings,
      scope,
      logger,
      endingMsMax: 500,
    };
  }

  return {
    api,
    pool,
    scope,
    openPool,
    managementUrl: asManagement.href,
    partsOf,
    /** Queries of the builds by version; the default is `eventsByName`. */
    queries,
    /** A project with this number of events. */
    async project(events = 3): Promise<Seed> {
      const seed = await api.seed();
      await this.addEvents(seed, events);
      return seed;
    },
    async addEvents({ projectId }: Pick<Seed, 'projectId'>, count: number): Promise<void> {
      await api.insertEvents(Array.from({ length: count }, () => ({ team_id: projectId, event: `of ${projectId}` })));
    },
    /** A version that is to be materialized; its first build is due. */
    async version(seed: Seed, query?: BuildQuery): Promise<TestVersion> {
      const made = await api
        .as(seed.key)
        .send<{ id: string; current_version_id: string }>('post', `/api/projects/${seed.projectId}/endpoints`)
        .send({ name: `e_${randomUUID().slice(0, 8)}`, query: { kind: 'HogQLQuery', query: 'SELECT 1' } });
      const version = { versionId: made.body.current_version_id, endpointId: made.body.id, projectId: seed.projectId };
      if (query !== undefined) queries.set(version.versionId, query);
      await this.change(version, 'enable');
      return version;
    },
    /** Changes the materialization of a version, as a member does. */
    change: (version: TestVersion, change: MaterializationChange) => changeMaterialization(api.prisma, change, version),
    builder({
      limits,
      clickhouseUrl,
      ...options
    }: Partial<BuildsOptions> & { clickhouseUrl?: string } = {}): TestBuilder {
      const ends: ComparedBuild[] = [];
      const builds = createBuilds({
        ...partsOf({ ...(limits && { limits }), ...(clickhouseUrl !== undefined && { clickhouseUrl }) }),
        pool,
        slots: manySlots,
        onEnd: (end) => void ends.push(end),
        everyMs: 10,
        graceMs: 0,
        ...options,
      });
      builders.add(builds);
      return Object.assign(builds, { ends });
    },
    async stopBuilders(): Promise<void> {
      await Promise.all([...builders].map((builder) => builder.stop()));
      builders.clear();
    },
    async row({ versionId }: TestVersion): Promise<TestRow> {
      const row = await api.prisma.materialization.findUniqueOrThrow({ where: { versionId } });
      return { ...row, layout: row.layout === null ? null : (JSON.parse(row.layout) as TableLayout) };
    },
    heldAt,
    /** Begins the build of a version in a process that never renews its claim; it ends by itself after `leaseMs`. */
    async beginWithoutRenewing(
      { versionId }: TestVersion,
      {
        onStep,
        leaseMs,
        signal = new AbortController().signal,
      }: Pick<HeldStep, 'onStep'> & { leaseMs: number; signal?: AbortSignal },
    ): Promise<{ ended: Promise<BuildEnd> }> {
      const claim = await claimBuild(pool, { holder: 'silent', leaseMs, firstVersionId: versionId, ...manySlots });
      if (claim === null) throw new Error('nothing is due');
      return { ended: build({ ...partsOf(), pool, onStep }, claim, signal) };
    },
    /** Begins the build of a version in a process that is killed at a step: it does nothing any more, and its claim ends. */
    async killedAt(version: TestVersion, step: BuildStep): Promise<void> {
      const { onStep, reached } = heldAt(step);
      const dying = new AbortController();
      const { ended } = await this.beginWithoutRenewing(version, { onStep, leaseMs: 100, signal: dying.signal });
      killed.add(ended);
      held.add(() => dying.abort(new ClaimLostError('the process was killed')));
      await reached;
    },
    /** The row once build number `number` of the version is completed. */
    async completed(version: TestVersion, number: number): Promise<TestRow> {
      return await eventually(
        async () => {
          expect(await this.claimOf(version)).toMatchObject({ build_number: number, claimed_until: null });
          const row = await this.row(version);
          expect(row.status).toBe('Completed');
          return row;
        },
        { deadlineMs: enoughMs },
      );
    },
    /** Ends what the test has begun: nothing of it is due, or goes on, in the next. */
    async endTest(): Promise<void> {
      for (const go of [...held].reverse()) go();
      await Promise.all(killed);
      await this.stopBuilders();
      held.clear();
      killed.clear();
      await pool.query('DELETE FROM materializations');
      await this.builder().sweep();
    },
    /** Columns of the row that are of builds alone. */
    async claimOf({ versionId }: TestVersion): Promise<{
      build_number: number;
      claimed_until: Date | null;
      next_build_at: Date;
      retries: number;
    }> {
      const { rows } = await pool.query<Awaited<ReturnType<BuildWorld['claimOf']>>>(
        'SELECT build_number, claimed_until, next_build_at, retries FROM materializations WHERE version_id = $1',
        [versionId],
      );
      if (rows[0] === undefined) throw new Error('the version is not materialized');
      return rows[0];
    },
    /** Makes its build due. */
    async makeDue({ versionId }: TestVersion): Promise<void> {
      await pool.query('UPDATE materializations SET next_build_at = statement_timestamp() WHERE version_id = $1', [
        versionId,
      ]);
    },
    /** Rows that a run of the project would read. */
    async rowsOf({ tableName }: Pick<Materialization, 'tableName'>, teamId: number): Promise<string> {
      const columns = 'SELECT * FROM materialized.';
      return await queryAs(login(tenant), url, `${columns}${tableName} ORDER BY ALL FORMAT CSV`, {
        headers: { ...headersOf(teamId) },
      });
    },
    /** Tables and views of this system, with their databases. */
    async tables(): Promise<string[]> {
      const found = await queryAs(
        login(admin),
        url,
        `SELECT database || '.' || name FROM system.tables WHERE startsWith(name, '${tablePrefix(scope)}') ORDER BY 1 FORMAT TSVRaw`,
      );
      return found === '' ? [] : found.split('\n');
    },
    /** Statements of builds that ClickHouse runs now. */
    async running(): Promise<number> {
      return Number(
        await queryAs(
          login(admin),
          url,
          `SELECT count() FROM system.processes WHERE startsWith(query_id, 'build_${tablePrefix(scope)}')`,
        ),
      );
    },
    async send(sql: string): Promise<string> {
      return await queryAs(login(admin), url, sql);
    },
    async close(): Promise<void> {
      await this.stopBuilders();
      for (const close of closing.reverse()) await close();
      for (const one of pools) await one.end();
      for (const name of await this.tables()) await queryAs(login(admin), url, `DROP TABLE IF EXISTS ${name}`);
      await api.stop();
    },
  };
}
