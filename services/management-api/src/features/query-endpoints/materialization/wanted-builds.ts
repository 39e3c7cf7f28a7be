import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import { requestBuild } from '../../../materialization/request-build.ts';
import { wake } from './wake.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';

/** Builds that runs want, because a table does not answer them any more. */
export interface WantedBuilds {
  /** Makes a build of the version due. Never waits, never throws: the run goes on without it. */
  want(version: RunnableVersion): void;
}

/** Many runs want the same build: one a version in this time is told. */
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
  const toldAtMs = createLeastRecentlyUsed<string, number>(versionsMax);
  return {
    want({ id, materialization }) {
      const nowMs = performance.now();
      const told = toldAtMs.get(id);
      if (materialization === null || (told !== undefined && nowMs < told + everyMs)) return;
      toldAtMs.set(id, nowMs);
      const asked = materialization.isHibernated ? wake(prisma, id, materializedMax) : requestBuild(pool, id);
      asked.catch((err: unknown) => logger.warn({ err, versionId: id }, 'a build that a run wants is not due yet'));
    },
  };
}
