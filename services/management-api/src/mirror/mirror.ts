import type { Pool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { repeat } from '@millrace/runtime/repeat.ts';
import { mirrorings, type Mirroring } from './mirrorings.ts';
import { copiesOf, type MirroredRow, type MirroredTable, type UnmirroredRow } from './mirrored-rows.ts';

export interface MirrorOptions {
  /** Two connections: one holds the lock. */
  pool: Pick<Pool, 'query' | 'connect'>;
  /** Stores copies; resolves once all of them are stored. */
  insert: (table: MirroredTable, copies: MirroredRow[]) => Promise<void>;
  logger: Pick<Logger, 'warn'>;
  /** Called with the number of copies made, and the seconds that the change which waits longest has waited. */
  onPass?: (copies: number, lagSeconds: number) => void;
  /** Interval of looking for changes; default 1 s. */
  everyMs?: number;
  /** Most rows of a table at a time: a comment may have a megabyte; default 200. */
  rowsMax?: number;
}

/** Copies rows of Postgres into ClickHouse (docs/decisions/mirrored-rows.md). Every process may: one at a time does. */
export interface Mirror {
  start(): void;
  /** Copies what is there; resolves with the number of copies, 0 when another process is at it. @throws what Postgres or ClickHouse throw */
  run(): Promise<number>;
  stop(): Promise<void>;
}

/** Key of the advisory lock: any number that no other lock uses. */
const lockKey = 7_210_455_002;

interface Pass {
  copies: number;
  /** The last line. */
  last: string;
  /** There are no more. */
  isAll: boolean;
}

type Client = Pick<Pool, 'query'>;

interface Change {
  change: string;
  table_name: string;
  row_id: string | null;
  project_id: number | null;
}

// A later release may have others: its processes copy those.
const names = mirrorings.map(({ table }) => table.name);

const oldestChange = `
  SELECT extract(epoch FROM now() - changed_at)::float8 AS waited_seconds
  FROM unmirrored_rows ORDER BY change LIMIT 1`;
const changedRows = `
  SELECT change::text, table_name, row_id, project_id FROM unmirrored_rows
  WHERE change > $1 ORDER BY unmirrored_rows.change LIMIT $2`;
const wholeTables = `
  SELECT change::text, table_name, row_id, project_id FROM unmirrored_rows
  WHERE row_id IS NULL AND table_name = ANY($1) ORDER BY unmirrored_rows.change LIMIT 1`;
// Above any version of before, also when the database was restored from a backup: then the sequence is of before, and the clock is not.
const nextVersion = `
  SELECT setval('mirror_versions', greatest(nextval('mirror_versions'), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint))::text AS version`;
// A row that is locked, or has another number by now, has changed again. To wait for it could be to wait for somebody who waits for this.
const takeOut = `
  DELETE FROM unmirrored_rows WHERE change IN (SELECT change FROM unmirrored_rows WHERE change = ANY($1) FOR UPDATE SKIP LOCKED)`;

export function createMirror({
  pool,
  insert,
  logger,
  onPass = () => undefined,
  everyMs = 1_000,
  rowsMax = 200,
}: MirrorOptions): Mirror {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  /** How far a whole table was read: the last id, by the number of its line. */
  const reached = new Map<string, string>();

  /** Copies a few rows whose lines come after one; undefined: another process is at it. */
  async function pass(after: string): Promise<Pass | undefined> {
    const client = await pool.connect();
    let failed = true;
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
        lockKey,
      ]);
      const done = rows[0]?.locked === true ? await copyUnderLock(client, after) : undefined;
      await client.query('COMMIT');
      failed = false;
      return done;
    } finally {
      client.release(failed);
    }
  }

  // The order is what makes it right. The version comes first and rows come last, all under the lock: a higher version has never older rows. Changes are
  // read before the rows are, so what is taken out was copied.
  async function copyUnderLock(client: Client, after: string): Promise<Pass> {
    // On the other connection: a transaction that has a number holds up the change feed while ClickHouse is waited for.
    const { rows: versions } = await pool.query<{ version: string }>(nextVersion);
    const version = BigInt(versions[0]?.version ?? 0);
    const { rows: lines } = await client.query<Change>(changedRows, [after, rowsMax]);
    const changes = lines.filter(({ table_name: name, row_id: id }) => id !== null && names.includes(name));
    const whole = lines.length < rowsMax ? (await client.query<Change>(wholeTables, [names])).rows[0] : undefined;
    let page: UnmirroredRow[] = [];
    let copies = 0;
    for (const mirroring of mirrorings) {
      const { name } = mirroring.table;
      const rows = changes.filter(({ table_name: changed }) => changed === name).map(rowOf);
      if (whole?.table_name === name) rows.push(...(page = await nextPage(client, mirroring, whole)));
      copies += await copy(client, mirroring, rows, version);
    }
    const done = changes.map(({ change }) => change);
    if (whole !== undefined && page.length < rowsMax) done.push(whole.change);
    if (done.length > 0) await client.query(takeOut, [done]);
    if (whole !== undefined) keepReached(whole, page);
    return { copies, last: lines.at(-1)?.change ?? after, isAll: lines.length < rowsMax && whole === undefined };
  }

  async function nextPage(
    client: Client,
    { rows: all }: Mirroring,
    { change, project_id: projectId }: Change,
  ): Promise<UnmirroredRow[]> {
    const { rows } = await client.query<{ id: string; project_id: number }>(
      `SELECT id, project_id FROM (${all}) AS one
       WHERE ($1::uuid IS NULL OR id > $1) AND ($2::integer IS NULL OR project_id = $2) ORDER BY id LIMIT $3`,
      [reached.get(change) ?? null, projectId, rowsMax],
    );
    return rows.map((row) => ({ id: row.id, projectId: row.project_id }));
  }

  function keepReached({ change }: Change, page: readonly UnmirroredRow[]): void {
    const last = page.at(-1);
    if (page.length < rowsMax || last === undefined) reached.delete(change);
    else reached.set(change, last.id);
  }

  async function copy(
    client: Client,
    { table, live }: Mirroring,
    rows: readonly UnmirroredRow[],
    version: bigint,
  ): Promise<number> {
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const { rows: found } = await client.query<{ id: string }>(live, [ids]);
    await insert(table, copiesOf(table, rows, found, version));
    return rows.length;
  }

  async function run(): Promise<number> {
    const { rows } = await pool.query<{ waited_seconds: number }>(oldestChange);
    const lagSeconds = Math.max(0, rows[0]?.waited_seconds ?? 0);
    onPass(0, lagSeconds);
    if (rows.length === 0) return 0;
    let copies = 0;
    // A line that was taken out is still in the index for a while: it is not gone through again and again. A lower number that comes late waits for the next run.
    let after = '0';
    for (;;) {
      const done = await pass(after);
      if (done === undefined) return copies;
      onPass(done.copies, lagSeconds);
      [copies, after] = [copies + done.copies, done.last];
      if (done.isAll || stopping.signal.aborted) return copies;
    }
  }

  const repetition = {
    everyMs,
    signal: stopping.signal,
    logger,
    failed: 'reviews and scores were not copied to ClickHouse: it is tried again',
  };

  return {
    start: () => void (running = repeat(run, repetition)),
    run,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const rowOf = ({ row_id: id, project_id: projectId }: Change): UnmirroredRow => ({
  id: id ?? '',
  projectId: projectId ?? 0,
});
