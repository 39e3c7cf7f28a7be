import { randomUUID } from 'node:crypto';
import { prepareQuery, type CompiledQuery } from '@millrace/query-language/compile.ts';
import { queryRows } from '../../../../queries/execute/query-rows.ts';
import type { TenantEngine } from '../../../../queries/execute/tenant-engine.ts';
import { isoOf, msOf } from '../../../../queries/insights/dates/moments.ts';
import { readStoredEvents, storedEventForm, type ReadEvents } from '../../../../queries/stream/read-stored-events.ts';
import type { Reader } from '../../reader-of.ts';
import { fingerprintHash, hashFingerprints, issuePlace } from '../hashed-fingerprints.ts';
import type { IssueFingerprint } from '../issue-queries.ts';
import type { EventCondition } from './event-conditions.ts';
import type { WantedEvents } from './event-query.ts';

/** Events of an issue. */
export interface EventCounts {
  occurrences: number;
  users: number;
  sessions: number;
  /** ISO 8601. */
  lastSeen: string;
}

export type CountOrder = 'occurrences' | 'users' | 'sessions' | 'last_seen';

/** Properties whose values are counted. */
export type TopColumn =
  | '$pathname'
  | '$current_url'
  | '$screen_name'
  | '$browser'
  | '$os'
  | '$lib'
  | '$lib_version'
  | '$app_version'
  | '$session_id';

/** The events that are read, and their reader. */
export interface Reading {
  tenantEngine: TenantEngine;
  reader: Reader;
  events: WantedEvents;
  conditions: readonly EventCondition[];
}

// Texts of ours with values bound: in the language of saved queries, so that one project's events are all there is.
const fingerprint = 'properties.$exception_fingerprint';
const ofIssues = `${fingerprintHash} IN {hashes}`;

type CountRow = [string | number, number | string, number | string, number | string, string];

function whereOf({ conditions }: Reading, more: readonly string[] = []): string {
  const fixed = ["event = '$exception'", 'timestamp >= {first}', 'timestamp <= {last}', '{filters}'];
  return [...fixed, ...more, ...conditions.map(({ text }) => text)].join(' AND ');
}

async function run<Row>(
  text: string,
  reading: Reading,
  values: Record<string, string | number | string[]>,
  rowsMax: number,
): Promise<Row[]> {
  const { tenantEngine, reader } = reading;
  return await queryRows<Row>(tenantEngine, printed(text, reading, values, rowsMax), reader);
}

function printed(
  text: string,
  { events, conditions }: Reading,
  values: Record<string, string | number | string[]>,
  rowsMax: number,
): CompiledQuery {
  const bound = Object.assign({}, ...conditions.map((one) => one.values)) as Record<string, string | string[]>;
  const { window } = events;
  const filters = { from: undefined, to: undefined, conditions: events.conditions };
  return prepareQuery(text).print(
    { values: { ...bound, ...values, first: window.from, last: window.to }, filters },
    { rowsMax },
  );
}

const readCounts = ([key, occurrences, users, sessions, last]: CountRow): [string, EventCounts] => [
  String(key),
  {
    occurrences: Number(occurrences),
    users: Number(users),
    sessions: Number(sessions),
    lastSeen: isoOf(last),
  },
];

const orders: Readonly<Record<CountOrder, string>> = {
  occurrences: 'count()',
  users: 'uniq(person_id)',
  sessions: 'uniq(properties.$session_id)',
  last_seen: 'toUnixTimestamp(max(timestamp))',
};

/** The fingerprints that come first in this order with their count, or time in seconds, as many as `rowsMax`. @throws {AppError} as `TenantEngine.run` does */
export async function rankFingerprints(
  reading: Reading,
  { by, descending }: { by: CountOrder; descending: boolean },
  rowsMax: number,
): Promise<Map<string, number>> {
  const text = `SELECT ${fingerprint} AS fingerprint, ${orders[by]} AS value FROM events
    WHERE ${whereOf(reading, [`isNotNull(${fingerprint})`])} GROUP BY fingerprint ORDER BY value ${descending ? 'DESC' : 'ASC'}, fingerprint`;
  const rows = await run<[string, string | number]>(text, reading, {}, rowsMax);
  return new Map(rows.map(([name, value]) => [String(name), Number(value)]));
}

/** Counts by issue: a person who met several fingerprints of one counts once. @throws {AppError} as `TenantEngine.run` does */
export async function countByIssue(
  reading: Reading,
  fingerprints: readonly IssueFingerprint[],
): Promise<Map<string, EventCounts>> {
  if (fingerprints.length === 0) return new Map();
  const text = `SELECT ${issuePlace} AS issue, count() AS occurrences, uniq(person_id) AS users, uniq(properties.$session_id) AS sessions,
      toString(max(timestamp)) AS last_seen
    FROM events WHERE ${whereOf(reading, [ofIssues])} GROUP BY issue`;
  const { values, issueAt } = hashFingerprints(fingerprints);
  const rows = await run<CountRow>(text, reading, values, fingerprints.length);
  return new Map(rows.map(readCounts).map(([place, counted]) => [issueAt(place), counted]));
}

/** Events of each issue in so many buckets of the same width, the earliest first. @throws {AppError} as `TenantEngine.run` does */
export async function volumesByIssue(
  reading: Reading,
  fingerprints: readonly IssueFingerprint[],
  buckets: number,
): Promise<(id: string) => number[]> {
  const volumes = new Map<string, number[]>();
  if (fingerprints.length === 0 || buckets === 0) return () => Array<number>(buckets).fill(0);
  const { from, to } = reading.events.window;
  const start = Math.floor(msOf(from) / 1_000);
  const width = Math.max(1, Math.floor(msOf(to) / 1_000) + 1 - start) / buckets;
  const text = `SELECT ${issuePlace} AS issue, floor((toUnixTimestamp(timestamp) - {start}) / {width}) AS bucket, count() AS occurrences
    FROM events WHERE ${whereOf(reading, [ofIssues])} GROUP BY issue, bucket`;
  const { values: hashed, issueAt } = hashFingerprints(fingerprints);
  const values = { ...hashed, start, width };
  const rows = await run<[number | string, number | string, number | string]>(text, reading, values, 50_000);
  for (const [issue, bucket, occurrences] of rows) {
    const id = issueAt(issue);
    const volume = volumes.get(id) ?? Array<number>(buckets).fill(0);
    const place = Math.min(buckets - 1, Math.max(0, Number(bucket)));
    volume[place] = (volume[place] ?? 0) + Number(occurrences);
    volumes.set(id, volume);
  }
  return (id) => volumes.get(id) ?? Array<number>(buckets).fill(0);
}

const stored = 'toString(uuid) AS id, event, timestamp, length(properties) AS size, properties';

/** Bytes of the events that are read, and parsed, at once: some 15 ms. The first is read at any size. */
const eventBytesMax = 4_194_304;

/** Events of these fingerprints in their order, as far as 4 MiB go; `isWhole`: there are no more of them. @throws {AppError} as `TenantEngine.stream` does */
export async function readIssueEvents(
  reading: Reading,
  fingerprints: readonly IssueFingerprint[],
  { ascending, limit, offset }: { ascending: boolean; limit: number; offset: number },
): Promise<ReadEvents> {
  if (fingerprints.length === 0) return { events: [], isWhole: true };
  const direction = ascending ? 'ASC' : 'DESC';
  const text = `SELECT ${stored} FROM events WHERE ${whereOf(reading, [ofIssues])}
    ORDER BY timestamp ${direction}, id ${direction} LIMIT {rows} OFFSET {skipped}`;
  const { hashes } = hashFingerprints(fingerprints).values;
  // One more shows whether there are others.
  const values = { hashes, rows: limit + 1, skipped: offset };
  const { sql, params, fetchLimit } = printed(text, reading, values, limit + 1);
  const form = storedEventForm();
  return await reading.tenantEngine.stream(
    { ...reading.reader, sql, params, form, queryId: randomUUID(), rowsMax: fetchLimit, isOwnRead: true },
    (bytes) => readStoredEvents(bytes, form, { eventsMax: limit, bytesMax: eventBytesMax }),
  );
}

/** The most frequent values of a column, with the number of their events. @throws {AppError} as `TenantEngine.run` does */
export async function topValues(
  reading: Reading,
  fingerprints: readonly IssueFingerprint[],
  column: TopColumn,
  rowsMax: number,
): Promise<{ value: string; count: number }[]> {
  if (fingerprints.length === 0) return [];
  const value = `toString(properties.${column})`;
  const text = `SELECT ${value} AS value, count() AS occurrences FROM events
    WHERE ${whereOf(reading, [ofIssues, `ifNull(${value}, '') != ''`])} GROUP BY value ORDER BY occurrences DESC, value LIMIT ${rowsMax}`;
  const { hashes } = hashFingerprints(fingerprints).values;
  const rows = await run<[string, number | string]>(text, reading, { hashes }, rowsMax);
  return rows.map(([found, count]) => ({ value: found, count: Number(count) }));
}
