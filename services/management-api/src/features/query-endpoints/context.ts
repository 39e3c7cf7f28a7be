import { routesWith, type Context as CommonContext } from '../../context.ts';
import type { EndpointStore } from './store/endpoint-store.ts';
import type { ExecutionTimes } from './runs/execution-times.ts';
import type { PreparedQueries } from './runs/prepared-queries.ts';
import type { RunnableEndpoints } from './store/runnable-endpoint.ts';

/** Parts of this feature, beside those of all. */
export interface Context extends CommonContext {
  endpoints: EndpointStore;
  runnableEndpoints: RunnableEndpoints;
  preparedQueries: PreparedQueries;
  executionTimes: ExecutionTimes;
  /** Organizations for which a suggestion is being made: one at a time, since each may hold calls of the language model for minutes. */
  suggesting: Set<string>;
  /** Least freshness in seconds that an endpoint may be given. */
  freshnessMinSeconds: number;
}

export const { projectRoute, publicRoute } = routesWith<Context>();
