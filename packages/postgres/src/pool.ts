import pg from 'pg';

export type Pool = pg.Pool;

/** Options of a pool; `poolOptions` makes them from a service's settings. */
export interface PoolOptions {
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Most connections at a time. */
  max?: number;
  /** The server ends statements that run longer; 0: never. */
  statementTimeoutMs?: number;
  /** Timeout of connecting, and of a response beyond `statementTimeoutMs`, in milliseconds; default 5,000. */
  silenceMsMax?: number;
  /** Called when an idle connection is lost. */
  onError: (error: Error) => void;
}

/**
 * A connection pool: waits at most `silenceMsMax` for a connection, ends idle ones after 30 s, and never ends the process when the
 * server goes away (the next query connects anew). `bigint` columns arrive as text, times as `Date`.
 */
export function createPool(
  url: string,
  { applicationName, max = 10, statementTimeoutMs = 10_000, silenceMsMax = 5_000, onError }: PoolOptions,
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max,
    statement_timeout: statementTimeoutMs,
    // The server may have gone silent: then nothing else ends the wait.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + silenceMsMax }),
    connectionTimeoutMillis: silenceMsMax,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // Without a listener the loss of an idle connection would be an uncaught exception.
  pool.on('error', onError);
  // So would be that of one that is in use. The statement on it fails, and says so.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}
