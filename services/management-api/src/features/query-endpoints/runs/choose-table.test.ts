import { describe, expect, test } from '@jest/globals';
import type { PreparedTable } from '../../../queries/compile/prepare-table.ts';
import { sourceFingerprint } from '../../../queries/compile/source-fingerprint.ts';
import type { RunnableMaterialization, RunnableVersion } from '../store/runnable-endpoint.ts';
import { chooseTable } from './choose-table.ts';

// Whatever is wrong with a table, the query answers, and a new table is built where that helps (contract/endpoints 0.8, 6.5).
const queryContext = { timeZone: 'UTC', testAccounts: [] };
const source = { query: { query: 'SELECT 1' }, propertyTypes: {}, bucketOverrides: null };
const table = (fingerprint: string) =>
  ({ name: 't', builtAtMs: 0, plan: { fingerprint } }) as unknown as RunnableMaterialization['table'];
const versionWith = (materialization: RunnableMaterialization | null) =>
  ({ ...source, dataFreshnessSeconds: 900, materialization }) as unknown as RunnableVersion;
const good = versionWith({ table: table(sourceFingerprint(source, queryContext)), isHibernated: false });

interface Circumstances {
  serves?: boolean;
  nowMs?: number;
  refresh?: 'cache' | 'direct';
  filtersOverride?: Record<string, unknown>;
}

function choose(
  version: RunnableVersion,
  { serves = true, nowMs = 1, refresh = 'cache', filtersOverride: override }: Circumstances = {},
) {
  const prepared = { serves: () => serves } as unknown as PreparedTable;
  const run = {
    version,
    organizationId: 'o',
    request: { refresh, filtersOverride: override ?? null },
    values: {},
    queryContext,
    nowMs,
  };
  const { readTable, wantsBuild } = chooseTable({ of: () => prepared }, run);
  return { isRead: readTable?.prepared === prepared, wantsBuild };
}

describe('a run', () => {
  test.each<[string, ReturnType<typeof choose>, boolean, boolean]>([
    ['of a fresh table reads it', choose(good), true, false],
    ['with values that the table does not answer', choose(good, { serves: false }), false, false],
    ['that asks for the events', choose(good, { refresh: 'direct' }), false, false],
    ['of an insight with other filters', choose(good, { filtersOverride: {} }), false, false],
    ['beyond the freshness of the table', choose(good, { nowMs: 900_000 }), false, true],
    [
      'of a table that was made of something else',
      choose(versionWith({ table: table('other'), isHibernated: false })),
      false,
      true,
    ],
    [
      'before the first build, which is due already',
      choose(versionWith({ table: null, isHibernated: false })),
      false,
      false,
    ],
    ['of a version that hibernates', choose(versionWith({ table: null, isHibernated: true })), false, true],
    ['of a version that is not materialized', choose(versionWith(null)), false, false],
  ])('%s', (_name, choice, isRead, wantsBuild) => {
    expect(choice).toEqual({ isRead, wantsBuild });
  });
});
