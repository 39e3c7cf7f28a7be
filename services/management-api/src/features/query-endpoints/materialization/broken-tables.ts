import { AppError } from '@millrace/http/errors/errors.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createLeastRecentlyUsed } from '../../../least-recently-used.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';
import type { WantedBuilds } from './wanted-builds.ts';

/** Tables that runs could not read. */
export interface BrokenTables {
  /** Logs the first such error of a table. Makes a build due where a new table helps. Never waits, never throws: the run goes on with its query. */
  report(error: unknown, version: RunnableVersion, table: string): void;
}

/** The least freshness of a table: where a new table has the same fault, there are no more builds than of such a version. */
const everyMs = 900_000;
const tablesMax = 10_000;

export function createBrokenTables(
  { wantedBuilds, logger }: { wantedBuilds: WantedBuilds; logger: Pick<Logger, 'warn'> },
  nowMs: () => number = () => performance.now(),
): BrokenTables {
  const loggedAtMs = createLeastRecentlyUsed<string, number>(tablesMax);
  const wantedAtMs = createLeastRecentlyUsed<string, number>(tablesMax);
  return {
    report(error, version, table) {
      const now = nowMs();
      const known = `${table} ${codeOf(error)}`;
      if (loggedAtMs.get(known) === undefined) {
        loggedAtMs.set(known, now);
        logger.warn(
          { err: error, versionId: version.id, table },
          'a materialized table cannot be read: its query runs',
        );
      }
      if (!isOfTable(error)) return;
      const wanted = wantedAtMs.get(version.id);
      if (wanted !== undefined && now < wanted + everyMs) return;
      wantedAtMs.set(version.id, now);
      wantedBuilds.want(version);
    },
  };
}

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : 'error');

/** The table is gone, or cannot be read by this release. Other errors are of the values, of limits or of ClickHouse being away. */
const isOfTable = (error: unknown): boolean => codeOf(error) === 'error';
