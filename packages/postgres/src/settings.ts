import { integer, url } from '@millrace/runtime/settings.ts';

/** Settings of a service's access to Postgres. Each service has a role of its own, and so its own URL. */
export const postgresSettings = {
  url: url('DATABASE_URL', ['postgres', 'postgresql'], {
    description: 'Postgres, with the role of this service: postgres://role:password@host:port/database',
  }),
  poolSize: integer('DATABASE_POOL_SIZE', {
    description: 'most connections to Postgres of one process',
    default: 10,
    min: 1,
    max: 1000,
  }),
  statementTimeoutMs: integer('DATABASE_STATEMENT_TIMEOUT_MS', {
    description: 'milliseconds after which Postgres ends a statement; 0: never',
    default: 10_000,
  }),
};
