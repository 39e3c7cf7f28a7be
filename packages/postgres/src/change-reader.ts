import type pg from 'pg';
import type { Change, ChangeBatch } from './change.ts';

/** The table keeps an hour; after an absence of half of that, changes may have been missed. */
const absenceMsMax = 1_800_000;

interface ChangeRow extends Omit<Change, 'projectId'> {
  horizon: string;
  id: string | null;
  project_id: number | null;
}

/**
 * Transactions below the horizon had all ended when it was read. So later commits, in any order, are found from the last
 * horizon on; changes that were reported already are recognised by their ids.
 */
const readChanges = `
  SELECT horizon::text, change.id::text, change.topic, change.project_id, change.keys
  FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) AS present
  LEFT JOIN changes change ON change.xid >= $1::xid8 ORDER BY change.id`;
const readHorizon = 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon';

/** Reads the changes that were not reported yet, over any connection. */
export function createChangeReader(onChange: (changes: ChangeBatch) => void) {
  let horizon: string | null = null;
  let reportedIds = new Set<string>();
  let readAtMs = -Infinity;

  async function resync(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ horizon: string }>(readHorizon);
    onChange('everything');
    reportedIds = new Set();
    [horizon, readAtMs] = [rows[0]?.horizon ?? null, performance.now()];
  }

  return {
    /** Reports what was committed since the last call, or `everything` when some may have been missed. @throws when the connection fails */
    async read(client: pg.Client): Promise<void> {
      const missed = horizon === null || performance.now() - readAtMs > absenceMsMax;
      if (missed || horizon === null) return await resync(client);
      const { rows } = await client.query<ChangeRow>(readChanges, [horizon]);
      const now = rows[0]?.horizon ?? horizon;
      // A database that was restored counts its transactions from an earlier one on.
      if (BigInt(now) < BigInt(horizon)) return await resync(client);
      const changes = rows.filter(({ id }) => id !== null && !reportedIds.has(id));
      if (changes.length > 0)
        onChange(changes.map(({ topic, project_id, keys }) => ({ topic, projectId: project_id, keys })));
      reportedIds = new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
      [horizon, readAtMs] = [now, performance.now()];
    },
  };
}
