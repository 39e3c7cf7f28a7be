import type { Pool } from '@millrace/postgres/pool.ts';
import { copiesOf, slicesOf, type MirroredRow, type MirroredTable, type UnmirroredRow } from './mirrored-rows.ts';
import { pageOf, type Mirroring } from './mirrorings.ts';

export interface CopyingOptions {
  pool: Pick<Pool, 'query' | 'connect'>;
  /** Stores copies; resolves once all of them are stored. */
  insert: (table: MirroredTable, copies: MirroredRow[]) => Promise<void>;
  /** Most rows of a table at a time; default 200. */
  rowsMax?: number;
  /** Most bytes in memory at a time, but for a row that is larger: a comment may have a megabyte; default 8 MiB. */
  bytesMax?: number;
  /** Longest that one insert may take, and that a process which hangs holds the lock; default 15 s. */
  idleMsMax?: number;
}

/** A line about a whole table, or about all of a project in it. */
export interface WholeLine {
  change: string;
  table_name: string;
  project_id: number | null;
}

/** A transaction's work. */
interface Pass {
  copies: number;
  /** The last line, of changed rows. */
  last: string;
  /** There are no more. */
  isAll: boolean;
}

/** One transaction each, which holds the lock; nothing when another process has it. @throws what Postgres or ClickHouse throw */
export interface Copying {
  /** Copies a few changed rows of a table whose lines come after one. */
  changed(mirroring: Mirroring, after: string): Promise<Pass | undefined>;
  /** Copies the next page of a whole. */
  page(mirroring: Mirroring, line: WholeLine): Promise<Pass | undefined>;
}

type Client = Pick<Pool, 'query'>;

/** Key of the advisory lock: any number that no other lock uses. */
const lockKey = 7_210_455_002;

// The server ends the session of a process that hangs, or whose machine is gone: else nobody would copy for hours.
const lock = `
  SELECT set_config('idle_in_transaction_session_timeout', $2, true), pg_try_advisory_xact_lock($1) AS locked`;
// Above any version of before, also when the database was restored from a backup: then the sequence is of before, and the clock is not.
const nextVersion = `
  SELECT setval('mirror_versions', greatest(nextval('mirror_versions'), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint))::text AS version`;
const changedRows = `
  SELECT change::text, row_id AS id, project_id FROM unmirrored_rows
  WHERE table_name = $1 AND row_id IS NOT NULL AND change > $2 ORDER BY unmirrored_rows.change LIMIT $3`;
// A row that is locked, or has another number by now, has changed again. To wait for it could be to wait for somebody who waits for this.
const takeOut = `
  DELETE FROM unmirrored_rows WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM unmirrored_rows WHERE table_name = $1 AND change = ANY($2) FOR UPDATE SKIP LOCKED))`;

interface Row {
  id: string;
  project_id: number;
}

export function createCopying({
  pool,
  insert,
  rowsMax = 200,
  bytesMax = 8_388_608,
  idleMsMax = 15_000,
}: CopyingOptions): Copying {
  /** How far a whole was read: the last id, by the number of its line. */
  const reached = new Map<string, string>();

  async function underLock(work: (client: Client, version: bigint) => Promise<Pass>): Promise<Pass | undefined> {
    const client = await pool.connect();
    let isBroken = false;
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ locked: boolean }>(lock, [lockKey, String(idleMsMax)]);
      const done = rows[0]?.locked === true ? await work(client, await takeVersion()) : undefined;
      await client.query('COMMIT');
      return done;
    } catch (error) {
      // The lock is free at once: else the next table would find it taken.
      isBroken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      );
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  // On the other connection: a transaction that has a number holds up the change feed while ClickHouse is waited for.
  async function takeVersion(): Promise<bigint> {
    const { rows } = await pool.query<{ version: string }>(nextVersion);
    return BigInt(rows[0]?.version ?? 0);
  }

  // The order is what makes it right. The version comes first and rows come last, all under the lock: a higher version has never older rows. Changes are
  // read before the rows are, so what is taken out was copied.
  const changed: Copying['changed'] = (mirroring, after) =>
    underLock(async (client, version) => {
      const { name } = mirroring.table;
      const { rows: lines } = await client.query<Row & { change: string }>(changedRows, [name, after, rowsMax]);
      const copies = await copy(client, mirroring, lines.map(rowOf), version);
      if (lines.length > 0) await client.query(takeOut, [name, lines.map(({ change }) => change)]);
      return { copies, last: lines.at(-1)?.change ?? after, isAll: lines.length < rowsMax };
    });

  const page: Copying['page'] = (mirroring, { change, project_id: projectId }) =>
    underLock(async (client, version) => {
      const { owner, owned, table } = mirroring;
      const { rows: owners } = await client.query<Row>(pageOf(owner), [
        reached.get(change) ?? null,
        projectId,
        rowsMax,
      ]);
      const rows = owned === null ? owners : (await client.query<Row>(owned, [owners.map(({ id }) => id)])).rows;
      const copies = await copy(client, mirroring, rows.map(rowOf), version);
      const last = owners.length < rowsMax ? undefined : owners.at(-1);
      if (last === undefined) await client.query(takeOut, [table.name, [change]]);
      if (last === undefined) reached.delete(change);
      else reached.set(change, last.id);
      return { copies, last: change, isAll: last === undefined };
    });

  async function copy(
    client: Client,
    { table, bytes, live }: Mirroring,
    rows: readonly UnmirroredRow[],
    version: bigint,
  ): Promise<number> {
    if (rows.length === 0) return 0;
    const { rows: sizes } = await client.query<{ id: string; bytes: number }>(
      `SELECT id, coalesce(${bytes}, 0)::integer AS bytes FROM ${table.name} WHERE id = ANY($1)`,
      [rows.map(({ id }) => id)],
    );
    const bytesOf = new Map(sizes.map((row) => [row.id, row.bytes]));
    for (const slice of slicesOf(rows, bytesOf, bytesMax)) {
      const { rows: found } = await client.query<{ id: string }>(live, [slice.map(({ id }) => id)]);
      await insert(table, copiesOf(table, slice, found, version));
    }
    return rows.length;
  }

  return { changed, page };
}

const rowOf = ({ id, project_id: projectId }: Row): UnmirroredRow => ({ id, projectId });
