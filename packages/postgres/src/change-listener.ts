import { delay } from '@millrace/runtime/clock.ts';
import pg from 'pg';

/** What a change is about; triggers of the migrations `control`, `access_changes` and `endpoint_changes` write them. */
type ChangeTopic = 'project' | 'quota' | 'restriction' | 'personal_api_key' | 'user' | 'membership' | 'organization' | 'endpoint' | 'endpoint_token' | 'query_cancelled';

/** Something that was changed, and is committed. It does not say how: whoever cares looks it up. */
export interface Change {
  topic: ChangeTopic;
  projectId: number | null;
  /**
   * A project's old and new token (also one that was rotated away), a quota's resource, the id of a key, restriction or endpoint; of
   * users, memberships (whose members they are) and organizations the ids of all that one statement changed, none when
   * they were too many to name.
   */
  keys: readonly string[];
}

/** Changes in the order in which they were made, or `everything` when some may have been missed. */
export type News = readonly Change[] | 'everything';

export interface ChangeListenerOptions {
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** How often the table is read although nothing was notified, in milliseconds; default 1,000. */
  pollMs?: number;
  /** Must not throw. A change may be told twice. */
  onNews: (news: News) => void;
  /** The connection was lost or cannot be made; told once until it works again. */
  onLost: (error: unknown) => void;
}

export interface ChangeListener {
  /** Answers when it listens, or when the first try failed (it goes on trying). What is loaded after that misses nothing. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether changes are heard just now. */
  connected(): boolean;
  /** What was committed before this time (of `performance.now()`) has been told; -Infinity: nothing was heard yet. */
  heardUntilMs(): number;
}

/** A NOTIFY may get lost with its connection: this often the table is read anyway. */
const pollMsDefault = 1_000;
const retryMs = 500;
const connectMsMax = 2_000;
const queryMsMax = 2_000;
/** A server that does not answer must not hold up a stop. */
const stopMsMax = 500;
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

/**
 * Hears of changes that other processes make (architecture: state that several processes share): by NOTIFY at once, else
 * by reading the table each second, over one connection of its own that is made anew when it is lost.
 */
export function createChangeListener(url: string, options: ChangeListenerOptions): ChangeListener {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let connected = false;
  let lostTold = false;
  let horizon: string | null = null;
  let told = new Set<string>();
  let readAtMs = -Infinity;
  let heardUntilMs = -Infinity;

  async function read(client: pg.Client): Promise<void> {
    const missed = horizon === null || performance.now() - readAtMs > absenceMsMax;
    if (missed || horizon === null) return await beginAnew(client);
    const { rows } = await client.query<ChangeRow>(readChanges, [horizon]);
    const now = rows[0]?.horizon ?? horizon;
    // A database that was restored counts its transactions from an earlier one on.
    if (BigInt(now) < BigInt(horizon)) return await beginAnew(client);
    const changes = rows.filter(({ id }) => id !== null && !told.has(id));
    if (changes.length > 0) options.onNews(changes.map(({ topic, project_id, keys }) => ({ topic, projectId: project_id, keys })));
    told = new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
    [horizon, readAtMs] = [now, performance.now()];
  }

  async function beginAnew(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ horizon: string }>(readHorizon);
    options.onNews('everything');
    told = new Set();
    [horizon, readAtMs] = [rows[0]?.horizon ?? null, performance.now()];
  }

  /** Listens until the connection is lost (then it throws) or `stop`. */
  async function listen(onListening: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: options.applicationName,
      connectionTimeoutMillis: connectMsMax,
      query_timeout: queryMsMax,
      keepAlive: true,
    });
    let wake = new AbortController();
    client.on('notification', () => wake.abort());
    // The loss shows in the next query, which is at once.
    client.on('error', () => wake.abort());
    const stop = (): void => wake.abort();
    stopping.signal.addEventListener('abort', stop);
    try {
      await client.connect();
      await client.query('LISTEN millrace_changes');
      while (!stopping.signal.aborted) {
        wake = new AbortController();
        const begunMs = performance.now();
        await read(client);
        heardUntilMs = begunMs;
        onListening();
        await delay(options.pollMs ?? pollMsDefault, wake.signal);
      }
    } finally {
      stopping.signal.removeEventListener('abort', stop);
      // The connection is of no more use; that it cannot be closed in order changes nothing.
      void client.end().catch(() => undefined);
    }
  }

  async function run(onFirstTry: () => void): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listen(() => {
          [connected, lostTold] = [true, false];
          onFirstTry();
        });
      } catch (error) {
        if (!lostTold) options.onLost(error);
        lostTold = true;
      }
      connected = false;
      onFirstTry();
      await delay(retryMs, stopping.signal);
    }
  }

  return {
    start: () => new Promise((resolve) => void (running = run(resolve))),
    async stop() {
      stopping.abort();
      const ended = new AbortController();
      await Promise.race([running, delay(stopMsMax, ended.signal)]);
      ended.abort(); // no timer is left that would hold up the end of the process
    },
    connected: () => connected,
    heardUntilMs: () => heardUntilMs,
  };
}
