import { createClickhouse, type ClickhouseOptions } from '@millrace/clickhouse/client.ts';
import { LogUnavailableError } from '@millrace/event-log/event-log.ts';
import { openEventLog, type EventLogSettings } from '@millrace/event-log/open-event-log.ts';
import { openLogView } from '@millrace/event-log/open-log-view.ts';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { queryClickhouse } from './clickhouse-outputs.ts';
import type { LetterFilter } from './dead-letters/letter-filter.ts';
import { parseLetterId } from './dead-letters/letter-id.ts';
import { listLetters, type LetterList } from './dead-letters/list-letters.ts';
import { readLetter } from './dead-letters/read-letters.ts';
import { replayLetters, type ReplayReport } from './dead-letters/replay-letters.ts';
import { showContent, type LetterContent } from './dead-letters/show-letter.ts';
import { counted } from './database.ts';
import {
  backfillDefinitions,
  type BackfillOptions,
  type BackfillReport,
} from './definitions/backfill/backfill-definitions.ts';
import { whileLocked } from './jobs/job-lock.ts';
import { connectSquashClickhouse } from './squash/squash-clickhouse.ts';
import { squashOverrides, type SquashOptions, type SquashReport } from './squash/squash-overrides.ts';
import { createProjectCache } from './projects/project-cache.ts';
import { findEvent, type FindOptions, type EventLookup } from './lookup/find-event.ts';

export interface ConsumerAdminOptions {
  eventLog: EventLogSettings;
  /** Login of a user that may read `analytics`; called only when it is needed. */
  clickhouse: () => ClickhouseOptions;
  /** URL with a user that may read projects; called only when it is needed. */
  postgresUrl: () => string;
  /** The consumer's group. */
  group: string;
  /** Called with records in the lane of dead letters that are none. */
  onUnreadable: (id: string) => void;
}

/** Queries of operators about the consumer's work. They do not disturb readers of the log. */
export interface ConsumerAdmin {
  /** The newest of the dead letters that match, without secrets. */
  listDeadLetters(filter: LetterFilter, limit: number): Promise<LetterList>;
  /** One dead letter with its events, without secrets; null when it does not exist. */
  showDeadLetter(id: string): Promise<LetterContent | null>;
  /**
   * Appends those that match to their lanes again, or only counts them.
   * @throws {LogUnavailableError} when another replay is under way, or the log takes nothing.
   */
  replayDeadLetters(filter: LetterFilter, options: { limit: number; dryRun: boolean }): Promise<ReplayReport>;
  /**
   * Finds the outcome of an event, by its uuid in lower case.
   * @throws {Error} when ClickHouse cannot be queried, with what the log knows of the event.
   */
  findEvent(uuid: string, options: FindOptions): Promise<EventLookup>;
  close(): Promise<void>;
}

/** Name under which replays write: not the name of anybody who lives. */
const replayWriter = 'replay';

/** Queries read all events and may take long. A ping shows sooner whether the server responds. */
const signMsMax = 5_000;

/** @throws {Error} when ClickHouse does not respond, or not to this user. */
async function awaitSign(client: ReturnType<typeof createClickhouse>, url: string): Promise<void> {
  const tooLate = AbortSignal.timeout(signMsMax);
  try {
    const sign = await client.query({ query: 'SELECT 1', format: 'JSONEachRow', abort_signal: tooLate });
    await sign.text();
  } catch (error) {
    throw tooLate.aborted
      ? new Error(`ClickHouse at ${url} gave no response within ${signMsMax / 1_000} s`)
      : new Error(`ClickHouse at ${url} cannot be asked`, { cause: error });
  }
}

/** @throws {ConfigError} {LogUnavailableError} when the event log cannot be read. */
export async function openConsumerAdmin({
  eventLog,
  clickhouse,
  postgresUrl,
  group,
  onUnreadable,
}: ConsumerAdminOptions): Promise<ConsumerAdmin> {
  const view = await openLogView(eventLog);
  let client: ReturnType<typeof createClickhouse> | null = null;
  let ready: Promise<void> | null = null;
  const query: ReturnType<typeof queryClickhouse> = async (query) => {
    const options = clickhouse();
    client ??= createClickhouse({ ...options, requestTimeoutMs: 90_000 });
    await (ready ??= awaitSign(client, options.url));
    return queryClickhouse(client)(query);
  };
  let pool: Pool | null = null;
  // The next statement throws the error of a lost connection.
  const connect = (): Pool =>
    (pool ??= createPool(postgresUrl(), { applicationName: 'millrace-admin', max: 1, onError: () => undefined }));
  const projects = createProjectCache({ query: (statement) => connect().query(statement) }, systemClock);
  return {
    listDeadLetters: (filter, limit) => listLetters(view, filter, limit, onUnreadable),
    async showDeadLetter(id) {
      const letterId = parseLetterId(id);
      const found = letterId === null ? null : await readLetter(view, letterId);
      return found === null ? null : showContent(found);
    },
    async replayDeadLetters(filter, { limit, dryRun }) {
      if (dryRun) return replayLetters(view, query, { filter, limit, log: null, onUnreadable });
      const log = await openEventLog(eventLog, { writer: replayWriter });
      try {
        const unhealthyReason = log.unhealthyReason();
        if (unhealthyReason !== null) throw new LogUnavailableError(`cannot replay now: ${unhealthyReason}`);
        return await replayLetters(view, query, { filter, limit, log, onUnreadable });
      } finally {
        await log.close();
      }
    },
    findEvent: (uuid, options) => findEvent({ view, query, projects, group, clock: systemClock }, uuid, options),
    async close() {
      await view.close();
      await client?.close();
      await pool?.end();
    },
  };
}

export interface SquashNowOptions extends SquashOptions {
  /** Login of the user `maintainer`, or of one with more rights. */
  clickhouse: { url: string; user: string; password: string };
  /** Any user of it: it only keeps the lock. */
  postgresUrl: string;
}

/**
 * Squashes old person overrides into their events at once; null: another process does at the moment.
 * @throws whatever ClickHouse and Postgres say; what was done stays done, and the next run continues.
 */
export async function squashPersonOverrides({
  clickhouse: login,
  postgresUrl,
  ...options
}: SquashNowOptions): Promise<SquashReport | null> {
  const clickhouse = connectSquashClickhouse(login);
  try {
    return await whileLocked(postgresUrl, 'squash', (lock) => squashOverrides(clickhouse, lock, options));
  } finally {
    await clickhouse.close();
  }
}

/** Does the work while no process resolves stored exceptions anew; null: one does at the moment. `postgresUrl`: any user of it. */
export const whileLateMapsRest = <T>(postgresUrl: string, work: () => Promise<T>): Promise<T | null> =>
  whileLocked(postgresUrl, 'lateMaps', work);

export interface BackfillNowOptions extends Pick<BackfillOptions, 'onProgress' | 'onFailed'> {
  /** Login of a user that may read `analytics`. */
  clickhouse: ClickhouseOptions;
  /** URL with a user that may write definitions and the progress of this. */
  postgresUrl: string;
}

/** A month of a large project is read in one statement. */
const backfillTimeoutMs = 600_000;

/**
 * Learns the names and types of all stored data (`backfillDefinitions`).
 * @throws whatever Postgres says, and ClickHouse outside of a part; what was learned stays learned, and the next run continues.
 */
export async function backfillStoredDefinitions({
  clickhouse: login,
  postgresUrl,
  ...options
}: BackfillNowOptions): Promise<BackfillReport> {
  const clickhouse = createClickhouse({
    ...login,
    applicationName: 'millrace-definitions',
    requestTimeoutMs: backfillTimeoutMs,
  });
  const pool = createPool(postgresUrl, { applicationName: 'millrace-definitions', max: 1, onError: () => undefined });
  try {
    const db = counted(pool, { inc: () => undefined });
    return await backfillDefinitions({ query: queryClickhouse(clickhouse), db, ...options });
  } finally {
    await Promise.all([clickhouse.close(), pool.end()]);
  }
}
