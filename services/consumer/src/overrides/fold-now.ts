import { connectFoldClickhouse } from './fold-clickhouse.ts';
import { whileLocked } from './fold-lock.ts';
import { foldOverrides, type FoldOptions, type FoldReport } from './fold-overrides.ts';

export interface FoldNowOptions extends FoldOptions {
  /** With user `maintainer`, or one that may more. */
  clickhouse: { url: string; user: string; password: string };
  /** Any user of it: it only keeps the lock. */
  postgresUrl: string;
}

/**
 * Folds old person overrides into their events at once; null: another process does at the moment.
 * @throws whatever ClickHouse and Postgres say; what was done stays done, and the next run goes on.
 */
export async function foldOverridesNow({ clickhouse: login, postgresUrl, ...options }: FoldNowOptions): Promise<FoldReport | null> {
  const clickhouse = connectFoldClickhouse(login);
  try {
    return await whileLocked(postgresUrl, (lock) => foldOverrides(clickhouse, lock, options));
  } finally {
    await clickhouse.close();
  }
}
