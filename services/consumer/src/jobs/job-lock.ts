import { createPool } from '@millrace/postgres/pool.ts';

/** Held by one process at a time. */
export interface JobLock {
  /** @throws whatever `pg` throws when the connection that holds the lock is gone, and so may the lock be. */
  assertHeld(): Promise<void>;
}

/** Jobs that one process at a time does. The keys of their advisory locks are any numbers that no other lock uses. */
const locks = {
  squash: { key: 7_210_455_001, applicationName: 'millrace-squash-overrides' },
  lateMaps: { key: 7_210_455_002, applicationName: 'millrace-late-maps' },
};

/**
 * Does the work while no other process does this job; null when one does. The lock is Postgres' own, of one connection: it is free again when
 * the process ends, however it does.
 */
export async function whileLocked<T>(
  postgresUrl: string,
  job: keyof typeof locks,
  work: (lock: JobLock) => Promise<T>,
): Promise<T | null> {
  const { key, applicationName } = locks[job];
  const pool = createPool(postgresUrl, { applicationName, max: 1, onError: () => undefined });
  try {
    const connection = await pool.connect();
    // The next statement fails on a lost connection.
    connection.on('error', () => undefined);
    try {
      const { rows } = await connection.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [key]);
      if (rows[0]?.locked !== true) return null;
      return await work({ assertHeld: async () => void (await connection.query('SELECT 1')) });
    } finally {
      connection.release(true);
    }
  } finally {
    await pool.end();
  }
}
