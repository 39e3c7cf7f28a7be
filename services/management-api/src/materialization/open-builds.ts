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

/** The builds of this process, with a connection of their own; null without the password of ClickHouse's user `materializer`. */
export function openBuilds(
  {
    clickhouse: { url, materializerPassword: password, tokenSecret },
    builds: { runningMax, runningPerProjectMax, ...limits },
  }: Pick<Config, 'clickhouse' | 'builds'>,
  {
    pool,
    compileBuild,
    logger,
    registry,
  }: { pool: Pool; compileBuild: CompileBuild; logger: Pick<Logger, 'info' | 'warn'>; registry: Registry },
): { builds: Builds; part: Part } | null {
  if (password === null) {
    logger.info('CLICKHOUSE_MATERIALIZER_PASSWORD is not set: this process materializes no endpoints');
    return null;
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
    builds,
    part: {
      name: 'builds',
      start: () => builds.start(),
      stop: async () => {
        await builds.stop();
        endings.close();
        await connection.close();
      },
    },
  };
}
