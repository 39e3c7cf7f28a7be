import type { Pool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { QueryEndings } from '../../queries/execute/query-endings.ts';
import type { BuildLimits } from '../build-limits.ts';
import type { CompileBuild } from '../build-request.ts';
import type { BuildStore } from '../build-store.ts';

/** Steps of a build, in order. `filling`: ClickHouse has been sent the query, and has not answered. */
export type BuildStep = 'created' | 'filling' | 'filled' | 'viewed' | 'switched';

/** Parts of every build. */
export interface BuildParts {
  pool: Pick<Pool, 'query'>;
  store: BuildStore;
  compileBuild: CompileBuild;
  limits: BuildLimits;
  endings: Pick<QueryEndings, 'end'>;
  scope: string;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Awaited after each step. */
  onStep?: (step: BuildStep) => Promise<void>;
  /** Interval of measuring a table that is being filled. */
  measureEveryMs?: number;
  /** Longest wait for the end of a query that is given up; default 5 s. ClickHouse may still run it then. */
  endingMsMax?: number;
}
