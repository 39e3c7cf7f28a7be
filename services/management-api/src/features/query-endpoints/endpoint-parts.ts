import type { Pool } from '@millrace/postgres/pool.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Registry } from '@millrace/runtime/operations/metrics.ts';
import type { Throttles } from '../../auth/throttles.ts';
import type { ChangeFeed } from '../../changes/change-feed.ts';
import type { Config } from '../../config.ts';
import type { Context as CommonContext } from '../../context.ts';
import { openBuilds } from '../../materialization/open-builds.ts';
import type { QueryCompiler } from '../../queries/compile/query-compiler.ts';
import type { TenantEngine } from '../../queries/execute/tenant-engine.ts';
import type { Context } from './context.ts';
import { createVersionBuilds } from './materialization/compile-version-build.ts';
import { createBrokenTables } from './materialization/broken-tables.ts';
import { createMaterializability } from './materialization/materializability.ts';
import { createWantedBuilds } from './materialization/wanted-builds.ts';
import { createEndpointCache } from './runs/endpoint-cache.ts';
import { createExecutionTimes } from './runs/history/execution-times.ts';
import { createPreparedQueries } from './runs/prepared/prepared-queries.ts';
import { createPreparedTables } from './runs/prepared/prepared-tables.ts';
import { createEndpointStore } from './store/endpoint-store.ts';
import { createRunnableEndpoints } from './store/runnable-endpoint.ts';

/** Endpoints in memory, each with a query of up to a megabyte with its values, and their maximum age, in case a notification is lost. */
const endpointsMax = 2_000;
const endpointCharsMax = 32_000_000;
const endpointAgeMsMax = 60_000;

interface EndpointPartsOptions {
  pool: Pool;
  prisma: PrismaClient;
  queryCompiler: QueryCompiler;
  tenantEngine: TenantEngine;
  throttles: Throttles;
  changes: Pick<ChangeFeed, 'isCaughtUp' | 'onChange'>;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

/** Parts that no other feature has. */
type OwnContext = Omit<Context, keyof CommonContext>;

/** The parts of query endpoints, those of its `context.ts`, and those that start and stop with the process. */
export function createEndpointParts(
  config: Config,
  { pool, prisma, queryCompiler, tenantEngine, throttles, changes, clock, logger, registry }: EndpointPartsOptions,
): { context: OwnContext; parts: Part[]; forgetEndpoints: () => void } {
  const runnableEndpoints = createEndpointCache(createRunnableEndpoints(pool), {
    isCaughtUp: changes.isCaughtUp,
    max: endpointsMax,
    charsMax: endpointCharsMax,
    ageMsMax: endpointAgeMsMax,
  });
  changes.onChange((batch) => runnableEndpoints.invalidate(batch));
  const executionTimes = createExecutionTimes(prisma, logger);
  const compileBuild = createVersionBuilds({ prisma, queryCompiler, tenantEngine, clock });
  const { versionsPerProjectMax: materializedMax } = config.builds;
  const wantedBuilds = createWantedBuilds({ pool, prisma, logger, materializedMax });
  const building = openBuilds(config, { pool, compileBuild, logger, registry });
  return {
    context: {
      endpoints: createEndpointStore(prisma, clock, { materializedMax }),
      runnableEndpoints,
      preparedQueries: createPreparedQueries(queryCompiler),
      preparedTables: createPreparedTables(queryCompiler),
      builds: building.builds,
      wantedBuilds,
      brokenTables: createBrokenTables({ wantedBuilds, logger }),
      materializability: createMaterializability({ compiler: queryCompiler, refusal: building.builds.refusal, logger }),
      executionTimes,
      throttles,
      suggesting: new Set(),
      freshnessMinSeconds: config.freshnessMinSeconds,
    },
    parts: [
      ...building.parts,
      { name: 'execution times', start: () => executionTimes.start(), stop: () => executionTimes.stop() },
    ],
    forgetEndpoints: () => runnableEndpoints.clear(),
  };
}
