import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { EndpointStore } from './store/endpoint-store.ts';
import type { ExecutionTimes } from './runs/history/execution-times.ts';
import type { Throttles } from '../../auth/throttles.ts';
import type { Builds } from '../../materialization/builds.ts';
import type { BrokenTables } from './materialization/broken-tables.ts';
import type { Materializability } from './materialization/materializability.ts';
import type { WantedBuilds } from './materialization/wanted-builds.ts';
import type { PreparedQueries } from './runs/prepared/prepared-queries.ts';
import type { PreparedTables } from './runs/prepared/prepared-tables.ts';
import type { RunnableEndpoints } from './store/runnable-endpoint.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  endpoints: EndpointStore;
  runnableEndpoints: RunnableEndpoints;
  preparedQueries: PreparedQueries;
  preparedTables: PreparedTables;
  /** Builds of this process. `refusal`: why the server materializes nothing; null: it does. */
  builds: Pick<Builds, 'buildNow'> & { refusal: string | null };
  wantedBuilds: WantedBuilds;
  brokenTables: BrokenTables;
  materializability: Materializability;
  executionTimes: ExecutionTimes;
  throttles: Pick<Throttles, 'takeRun'>;
  /** Organizations for which a suggestion is being made: one at a time, since each may hold calls of the language model for minutes. */
  suggesting: Set<string>;
  /** Least freshness in seconds that an endpoint may be given. */
  freshnessMinSeconds: number;
}

export const { projectRoute, publicRoute } = routesWith<Context>();
