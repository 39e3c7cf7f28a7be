import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Registry } from '@millrace/runtime/operations/metrics.ts';
import type { Config } from '../config.ts';
import { createQueryEndings } from '../queries/execute/query-endings.ts';
import { observeBuilds } from './build-metrics.ts';
import type { CompileBuild } from './build-request.ts';
import { createBuildStore } from './build-store.ts';
import { createBuilds, type Builds } from './builds.ts';

/** Builds of a server that materializes nothing, for this reason. */
export const noBuilds = (refusal: string): OpenBuilds['builds'] => ({ refusal, buildNow: () => Promise.resolve() });

interface OpenBuilds {
  builds: Pick<Builds, 'buildNow'> & { refusal: string | null };
  parts: Part[];
}

/**
 * The builds of this process, with a connection of their own. Nothing is built without the password of ClickHouse's user `materializer`,
 * nor in a cluster: a table would be on the one server that happened to make it.
 */
export function openBuilds(
  {
    clickhouse: { url, materializerPassword: password, tokenSecret, cluster },
    builds: { runningMax, runningPerProjectMax, versionsPerProjectMax: _, ...limits },
  }: Pick<Config, 'clickhouse' | 'builds'>,
  {
    pool,
    compileBuild,
    logger,
    registry,
  }: { pool: Pool; compileBuild: CompileBuild; logger: Pick<Logger, 'info' | 'warn'>; registry: Registry },
): OpenBuilds {
  if (password === null) {
    logger.info('CLICKHOUSE_MATERIALIZER_PASSWORD is not set: this process materializes no endpoints');
    return {
      builds: noBuilds('this server has no password of the ClickHouse user that builds tables (docs/operations.md)'),
      parts: [],
    };
  }
  if (cluster !== null) {
    logger.info('CLICKHOUSE_CLUSTER is set: this process materializes no endpoints');
    return {
      builds: noBuilds('this server has a cluster of ClickHouse, where tables are not built yet (docs/production.md)'),
      parts: [],
    };
  }
  const connection = openQueryConnection({
    url,
    user: 'materializer',
    password,
    applicationName: 'management-api-builds',
    // Each build measures its table while it is filled.
    connectionsMax: runningMax * 2 + 1,
  });
  const endings = createQueryEndings(connection, logger);
  const builds = createBuilds({
    pool,
    compileBuild,
    limits,
    endings,
    logger,
    slots: { runningMax, runningPerProjectMax },
    store: createBuildStore(connection, { headersOf: (teamId) => tenantHeaders(tokenSecret, teamId), limits }),
    onEnd: observeBuilds(registry, endings),
  });
  return {
    builds: { refusal: null, buildNow: (versionId, withinMs) => builds.buildNow(versionId, withinMs) },
    parts: [
      {
        name: 'builds',
        start: () => builds.start(),
        stop: async () => {
          await builds.stop();
          endings.close();
          await connection.close();
        },
      },
    ],
  };
}
