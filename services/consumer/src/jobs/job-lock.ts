import { createPool } from '@millrace/postgres/pool.ts';

/** Held by one process at a time. */
export interface JobLock {
  /** @throws whatever `pg` throws when the connection that holds the lock is gone, and so may the lock be. */
  assertHeld(): Promise<void>;
}

interface NamedLock {
  /** Key of the advisory lock: any number that no other lock uses. */
  key: number;
  applicationName: string;
}

/**
 * Does the work while no other process does work under this lock; null when one does. The lock is Postgres' own, of one connection: it is free
 * again when the process ends, however it does.
 */
export async function whileLocked<T>(
  postgresUrl: string,
  { key, applicationName }: NamedLock,
  work: (lock: JobLock) => Promise<T>,
): Promise<T | null> {
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
