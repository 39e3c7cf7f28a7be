import { createChangeListener, type ChangeListener } from '@millrace/postgres/change-listener.ts';
import type { ChangeBatch } from '@millrace/postgres/change.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createAddQuotaUsage } from '../limits/add-quota-usage.ts';
import { createLoadProjectLimits, type LoadProjectLimits } from '../limits/load-project-limits.ts';
import type { AddUsage } from '../limits/quota-usage.ts';
import { createProjectLookup } from './project-lookup.ts';
import type { ProjectLookup } from './project-tokens.ts';

/** Source of capture's facts about projects. */
export interface ProjectSource {
  lookUp: ProjectLookup;
  loadLimits: LoadProjectLimits;
  addUsage: AddUsage;
  /** The change feed of projects and their limits, once it is started. */
  listen(onChange: (changes: ChangeBatch) => void): ChangeListener;
  close(): Promise<void>;
}

/** New tokens, known tokens, and limits: each may have a statement under way. */
const connectionsMax = 3;
const applicationName = 'millrace-capture';

/** Postgres, with the rights of role `millrace_capture`. A statement that takes longer than `queryMsMax` has failed. */
export function createPostgresSource(url: string, queryMsMax: number, logger: Logger): ProjectSource {
  const pool = createPool(url, {
    applicationName,
    max: connectionsMax,
    statementTimeoutMs: queryMsMax,
    onError: (error) => logger.warn({ err: error }, 'lost an idle connection to Postgres'),
  });
  return {
    lookUp: createProjectLookup(pool, queryMsMax),
    loadLimits: createLoadProjectLimits(pool, queryMsMax),
    addUsage: createAddQuotaUsage(pool, queryMsMax),
    listen: (onChange) =>
      createChangeListener(url, {
        applicationName: `${applicationName}-changes`,
        onChange,
        onLost: (error) =>
          logger.warn(
            { err: error },
            'the change feed of projects is lost; known tokens are looked up again at intervals',
          ),
      }),
    close: () => pool.end(),
  };
}
