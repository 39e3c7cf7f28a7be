import type pg from 'pg';
import type { Change, News } from './change.ts';

/** The table keeps an hour; after an absence of half of that, changes may have been missed. */
const absenceMsMax = 1_800_000;

interface ChangeRow extends Omit<Change, 'projectId'> {
  horizon: string;
  id: string | null;
  project_id: number | null;
}

/**
 * Transactions below the horizon had all ended when it was read. So whatever commits later, in whatever order, is found
 * from the last horizon on; what was told already is known by its id.
 */
const readChanges = `
  SELECT horizon::text, change.id::text, change.topic, change.project_id, change.keys
  FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) AS present
  LEFT JOIN changes change ON change.xid >= $1::xid8 ORDER BY change.id`;
const readHorizon = 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon';

/** Reads from the table what was not told yet, over whatever connection there is. */
export function createChangeReader(onNews: (news: News) => void) {
  let horizon: string | null = null;
  let told = new Set<string>();
  let readAtMs = -Infinity;

  async function beginAnew(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ horizon: string }>(readHorizon);
    onNews('everything');
    told = new Set();
    [horizon, readAtMs] = [rows[0]?.horizon ?? null, performance.now()];
  }

  return {
    /** Tells what was committed since it was called last, or that it may have been missed. @throws when the connection fails */
    async read(client: pg.Client): Promise<void> {
      const missed = horizon === null || performance.now() - readAtMs > absenceMsMax;
      if (missed || horizon === null) return await beginAnew(client);
      const { rows } = await client.query<ChangeRow>(readChanges, [horizon]);
      const now = rows[0]?.horizon ?? horizon;
      // A database that was restored counts its transactions from an earlier one on.
      if (BigInt(now) < BigInt(horizon)) return await beginAnew(client);
      const changes = rows.filter(({ id }) => id !== null && !told.has(id));
      if (changes.length > 0) onNews(changes.map(({ topic, project_id, keys }) => ({ topic, projectId: project_id, keys })));
      told = new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
      [horizon, readAtMs] = [now, performance.now()];
    },
  };
}
