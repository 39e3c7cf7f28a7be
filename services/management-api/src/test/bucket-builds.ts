import { expect } from '@jest/globals';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { CompileBuild, TableLayout } from '../materialization/build-request.ts';
import type { BuildStore } from '../materialization/build-store.ts';
import { checkQuery, type CheckedQuery } from '../queries/compile/check-query.ts';
import { compileTable } from '../queries/compile/compile-table.ts';
import { enoughMs, type BuildWorld, type TestBuilder, type TestRow, type TestVersion } from './build-world.ts';
import type { Seed } from './test-api.ts';

/** A time at which events came long before the tests. */
export const longAgo = '2026-06-01 00:00:00.000000';

export interface BucketQuery {
  query: CheckedQuery;
  timeZone?: string;
  kept?: KeptTypes;
  bucketOverrides?: Readonly<Record<string, string>> | null;
}

/** A query without variables. */
export const sqlOf = (query: string): CheckedQuery => checkQuery({ kind: 'HogQLQuery', query }).query;

/** Versions that are built by their queries, as production compiles them. */
export function openBucketBuilds(world: BuildWorld, store: (store: BuildStore) => BuildStore = (own) => own) {
  const queries = new Map<string, BucketQuery>();
  const compileBuild: CompileBuild = (versionId, within) => {
    const { query, timeZone = 'UTC', kept = {}, bucketOverrides = null } = queries.get(versionId) as BucketQuery;
    const filterContext = { timeZone, testAccounts: [], nowMs: 0 };
    return Promise.resolve(compileTable({ query, kept, bucketOverrides, filterContext, ...(within && { within }) }));
  };
  let builder: TestBuilder | undefined;

  return {
    queries,
    /** A version whose first build is done. */
    async version(seed: Seed, query: BucketQuery): Promise<TestVersion> {
      const version = await world.version(seed);
      queries.set(version.versionId, query);
      await this.rebuild(version);
      return version;
    },
    /** Begins the next build, in a process of its own, and does not wait for it. */
    async begin(version: TestVersion, options: { leaseMs?: number } = {}): Promise<void> {
      builder = world.builder({ compileBuild, store: store(world.partsOf().store), ...options });
      await world.makeDue(version);
      await builder.buildNow(version.versionId, 1);
    },
    async rebuild(version: TestVersion): Promise<TestRow> {
      builder ??= world.builder({ compileBuild, store: store(world.partsOf().store) });
      await world.makeDue(version);
      await builder.buildNow(version.versionId, enoughMs);
      const row = await world.row(version);
      expect([row.status, row.error]).toEqual(['Completed', '']);
      return row;
    },
    /** Buckets in which the last build, which was whole, differed from the table of before. */
    differing: (): number | undefined => builder?.ends.at(-1)?.bucketsDiffering,
    /** The rows of a table, which must be those of a whole build of now. */
    async expectWhole(row: TestRow, seed: Seed, query: BucketQuery): Promise<string> {
      const whole = await world.row(await this.version(seed, query));
      expect(whole.bucketsRebuilt).toBeNull();
      const rows = await world.rowsOf(row, seed.projectId);
      expect(rows).toBe(await world.rowsOf(whole, seed.projectId));
      return rows;
    },
    /** Changes what a table says of its builds, as time would. */
    async age(
      version: TestVersion,
      change: (increment: NonNullable<TableLayout['increment']>) => object,
    ): Promise<void> {
      const { layout } = await world.row(version);
      const increment = layout?.increment;
      if (!increment) throw new Error('the table has no buckets');
      const aged = JSON.stringify({ ...layout, increment: { ...increment, ...change(increment) } });
      await world.pool.query('UPDATE materializations SET layout = $2 WHERE version_id = $1', [
        version.versionId,
        aged,
      ]);
    },
  };
}
