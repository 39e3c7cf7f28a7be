import { delay } from '@millrace/runtime/clock.ts';
import pg from 'pg';
import { createChangeReader } from './change-reader.ts';
import type { ChangeBatch } from './change.ts';

export interface ChangeListenerOptions {
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Interval of reading the table without a notification, in milliseconds; default 1,000. */
  pollMs?: number;
  /** Must not throw. A change may be reported twice. */
  onChange: (changes: ChangeBatch) => void;
  /** The connection was lost or cannot be made; reported once until it works again. */
  onLost: (error: unknown) => void;
}

export interface ChangeListener {
  /** Resolves once it listens, or once the first try failed (it continues trying). Data loaded after that misses no change. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** True while the connection is up. */
  connected(): boolean;
  /** Everything committed before this time (of `performance.now()`) has been reported; -Infinity: nothing was read yet. */
  caughtUpAtMs(): number;
}

/** A NOTIFY may get lost with its connection: this often the table is read anyway. */
const pollMsDefault = 1_000;
const retryMs = 500;
const connectMsMax = 2_000;
const queryMsMax = 2_000;
/** A server that does not respond must not hold up a stop. */
const stopMsMax = 500;

/**
 * The change feed: reports changes that other processes make to data that several of them cache, by NOTIFY at once, else
 * by reading the table each second, over one connection of its own that is created again when it is lost.
 */
export function createChangeListener(url: string, options: ChangeListenerOptions): ChangeListener {
  const stopping = new AbortController();
  const reader = createChangeReader(options.onChange);
  let running: Promise<void> | undefined;
  let connected = false;
  let isLossReported = false;
  let caughtUpAtMs = -Infinity;

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
        await reader.read(client);
        caughtUpAtMs = begunMs;
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
          [connected, isLossReported] = [true, false];
          onFirstTry();
        });
      } catch (error) {
        if (!isLossReported) options.onLost(error);
        isLossReported = true;
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
    caughtUpAtMs: () => caughtUpAtMs,
  };
}
