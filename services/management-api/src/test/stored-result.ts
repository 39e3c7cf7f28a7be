import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import type { StoredQuery } from '@millrace/query-language/compile.ts';
import type { BuildQuery } from '../materialization/build-request.ts';
import { createBuildStore } from '../materialization/build-store.ts';
import { buildLimits } from './build-limits.ts';
import type { TestTenant } from './tenant.ts';

/** Stores results of projects' statements as builds do. */
export interface ResultStore {
  /** Stores a result in a table of its own, with a view that tenants read. @throws what the engine refuses */
  store<Columns extends StoredQuery['columns'] | BuildQuery['columns']>(
    teamId: number,
    query: Pick<StoredQuery, 'sql' | 'params'> & { columns: Columns },
  ): Promise<{ view: string; columns: Columns }>;
  /** Drops all of them. */
  close(): Promise<void>;
}

/** Opens a connection, to be closed. */
export function openResultStore({ clickhouse: { url, materializer, tokenSecret } }: TestTenant): ResultStore {
  const connection = openQueryConnection({ url, user: materializer.username, password: materializer.password });
  const headersOf = (teamId: number) => tenantHeaders(tokenSecret, teamId);
  const store = createBuildStore(connection, { headersOf, limits: buildLimits });
  const names: string[] = [];
  return {
    async store(teamId, query) {
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
      const scope = { teamId, signal: new AbortController().signal };
      const queryScope = () => ({
        ...scope,
        queryId: crypto.randomUUID(),
        endsAtMs: performance.now() + buildLimits.secondsMax * 1000,
      });
      const columns = query.columns.map((column) => ({ name: column.name, isKey: 'isKey' in column && column.isKey }));
      const types = await store.typesOf({ ...query, columns }, queryScope());
      const table = {
        name,
        teamId,
        columns: types.map((type, at) => ({ name: `c${at}`, type, isKey: columns[at]?.isKey ?? false })),
      };
      names.push(name);
      await store.createTable(table, scope);
      await store.fill(table, query, queryScope());
      await store.createView(table, scope);
      return { view: name, columns: query.columns };
    },
    async close() {
      for (const name of names) await store.drop(name);
      await connection.close();
    },
  };
}
