import type { Pool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { repeat } from '@millrace/runtime/repeat.ts';
import { createCopying, type CopyingOptions, type WholeLine } from './copying.ts';
import { mirrorings, type Mirroring } from './mirrorings.ts';

/** Shown in metrics. */
export interface MirrorObserver {
  /** Seconds that the change which waits longest has waited. */
  lag: (seconds: number) => void;
  copied: (rows: number) => void;
  /** Copying this table failed; it will be tried again. */
  failed: (table: string) => void;
}

export interface MirrorOptions extends Pick<CopyingOptions, 'insert' | 'rowsMax' | 'bytesMax' | 'idleMsMax'> {
  /** Two connections: one holds the lock. */
  pool: Pick<Pool, 'query' | 'connect'>;
  logger: Pick<Logger, 'warn'>;
  observer?: MirrorObserver;
  /** Interval of looking for changes, and the longest turn of a table while others wait; default 1 s. */
  everyMs?: number;
}

/** Copies rows of Postgres into ClickHouse (docs/decisions/mirrored-rows.md). Every process may: one at a time does. */
export interface Mirror {
  start(): void;
  /**
   * Copies what is there; resolves with the number of copies, 0 when another process is at it. A table that fails is reported and left for later.
   * @throws when Postgres does not say what is there
   */
  run(): Promise<number>;
  stop(): Promise<void>;
}

/** A table that fails is tried again after twice as long each time, up to this. */
const againMsMax = 30_000;

/** Work on one table, as far as it came. */
interface Turn {
  copies: number;
  /** There is more, and nobody else is at it. */
  isMore: boolean;
}

// A later release may have others: its processes copy those.
const names: readonly string[] = mirrorings.map(({ table }) => table.name);

interface WaitingTable {
  table_name: string;
  has_rows: boolean;
  waited_seconds: number;
}

const waitingTables = `
  SELECT table_name, bool_or(row_id IS NOT NULL) AS has_rows, extract(epoch FROM now() - min(changed_at))::float8 AS waited_seconds
  FROM unmirrored_rows GROUP BY table_name`;
const nextWhole = `
  SELECT change::text, table_name, project_id FROM unmirrored_rows
  WHERE row_id IS NULL AND table_name = ANY($1) AND change <> ALL($2) ORDER BY unmirrored_rows.change LIMIT 1`;

export function createMirror({
  pool,
  logger,
  observer = { lag: () => undefined, copied: () => undefined, failed: () => undefined },
  everyMs = 1_000,
  ...options
}: MirrorOptions): Mirror {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const copying = createCopying({ pool, ...options });
  /** By the number of a line about a whole, or the name of a table whose changed rows fail. */
  const failures = new Map<string, { times: number; untilMs: number }>();
  const isPaused = (key: string): boolean => (failures.get(key)?.untilMs ?? 0) > performance.now();

  /** @returns no turn when it failed */
  async function attempt(key: string, table: string, work: () => Promise<Turn>): Promise<Turn | undefined> {
    try {
      const turn = await work();
      failures.delete(key);
      return turn;
    } catch (err) {
      const times = (failures.get(key)?.times ?? 0) + 1;
      failures.set(key, { times, untilMs: performance.now() + Math.min(everyMs * 2 ** times, againMsMax) });
      if (times === 1)
        logger.warn(
          { err, table },
          'a table was not copied to ClickHouse: it is tried again; docs/operations.md says what to do',
        );
      observer.failed(table);
      return undefined;
    }
  }

  const changedTurn = (mirroring: Mirroring) => () =>
    attempt(mirroring.table.name, mirroring.table.name, () => copyChanged(mirroring));

  /** Changed rows of one table. A line that was taken out is still in the index for a while: within a turn it is not gone through again. */
  async function copyChanged(mirroring: Mirroring): Promise<Turn> {
    const endMs = performance.now() + everyMs;
    let copies = 0;
    let after = '0';
    for (;;) {
      const pass = await copying.changed(mirroring, after);
      if (pass === undefined) return { copies, isMore: false };
      observer.copied(pass.copies);
      [copies, after] = [copies + pass.copies, pass.last];
      if (pass.isAll || stopping.signal.aborted || performance.now() > endMs) return { copies, isMore: !pass.isAll };
    }
  }

  /** The next page of the first whole that does not fail. */
  async function copyWhole(): Promise<Turn> {
    const paused = [...failures.keys()].filter((key) => !names.includes(key) && isPaused(key));
    const { rows } = await pool.query<WholeLine>(nextWhole, [names, paused]);
    const [line] = rows;
    const mirroring = mirrorings.find(({ table }) => table.name === line?.table_name);
    if (line === undefined || mirroring === undefined) return { copies: 0, isMore: false };
    const turn = await attempt(line.change, line.table_name, async () => {
      const pass = await copying.page(mirroring, line);
      observer.copied(pass?.copies ?? 0);
      return { copies: pass?.copies ?? 0, isMore: pass !== undefined };
    });
    // After a failure the next whole has its turn.
    return turn ?? { copies: 0, isMore: true };
  }

  async function run(): Promise<number> {
    let copies = 0;
    // Changed rows come first, and again between the pages of wholes: a line that commits behind others waits for a turn of each table and a page.
    for (;;) {
      const { rows: waiting } = await pool.query<WaitingTable>(waitingTables);
      observer.lag(Math.max(0, ...waiting.map((table) => table.waited_seconds)));
      if (waiting.length === 0) {
        failures.clear();
        return copies;
      }
      const hasChanged = (name: string): boolean => waiting.some((one) => one.table_name === name && one.has_rows);
      const changed = mirrorings.filter(({ table: { name } }) => hasChanged(name) && !isPaused(name));
      let isMore = false;
      for (const turn of [...changed.map(changedTurn), copyWhole]) {
        if (stopping.signal.aborted) return copies;
        const done = await turn();
        copies += done?.copies ?? 0;
        isMore ||= done?.isMore === true;
      }
      if (!isMore) return copies;
    }
  }

  const repetition = {
    everyMs,
    signal: stopping.signal,
    logger,
    failed: 'it is not known which rows are to be copied to ClickHouse: it is tried again',
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
