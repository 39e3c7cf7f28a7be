import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import { makeBuildDue } from '../../../materialization/make-build-due.ts';
import { wake } from './wake.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';

/** Builds that runs want, because a table does not answer them any more. */
export interface WantedBuilds {
  /** Makes a build of the version due. Never waits, never throws: the run goes on without it. */
  want(version: RunnableVersion): void;
}

/** Many runs want the same build: it is asked for once in this time, also where that failed. */
const everyMs = 10_000;
const versionsMax = 10_000;

export function createWantedBuilds({
  pool,
  prisma,
  logger,
  materializedMax,
}: {
  pool: Pick<Pool, 'query'>;
  prisma: PrismaClient;
  logger: Pick<Logger, 'warn'>;
  /** Most materialized versions of a project. */
  materializedMax: number;
}): WantedBuilds {
  const askedAtMs = createLeastRecentlyUsed<string, number>(versionsMax);
  return {
    want({ id, materialization }) {
      const nowMs = performance.now();
      const lastMs = askedAtMs.get(id);
      if (materialization === null || (lastMs !== undefined && nowMs < lastMs + everyMs)) return;
      askedAtMs.set(id, nowMs);
      const asking = materialization.isHibernated ? wake(prisma, id, materializedMax) : makeBuildDue(pool, id);
      asking.catch((err: unknown) => logger.warn({ err, versionId: id }, 'a build that a run wants is not due yet'));
    },
  };
}
