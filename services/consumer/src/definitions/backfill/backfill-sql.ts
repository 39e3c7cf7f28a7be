import {
  alwaysTextName,
  alwaysTextPrefixes,
  modelIdEnds,
  learnedNameBytesMax,
  learnedNamesMax,
  learnedPairsMax,
  unlearnedNames,
  valueKinds,
} from '@millrace/contracts/property-types.ts';
import type { ClickhouseQuery } from '../../duplicates/stored-events.ts';
import { isoTime } from '../value-kind.ts';

/** A part of a project's data that is learned in one go: a month of its events, its persons, or its groups. */
export interface BackfillPart {
  projectId: number;
  /** `YYYYMM`, `persons` or `groups`. */
  period: string;
  /** Rows of the part. */
  rows: number;
}

/** A name and its times, in milliseconds; 64-bit numbers come as texts. */
export interface NameRow {
  name: string;
  first_ms: string;
  last_ms: string;
}

/** A property of events, persons, or a group type, with the values of each kind in the sampled rows. */
export interface PropertyRow extends NameRow {
  group_type_index: number;
  counts: number[];
  /** Time of the first value that is counted; 0 when none is. */
  first_value_ms: string;
}

export interface PairRow {
  event: string;
  property: string;
}

/** Rows of a part whose values are looked at, about; the names of all rows are. */
const sampledRows = 1_000_000;

const groupBytesMax = 500_000_000;

const isAlwaysText = `pair.1 = '${alwaysTextName}' OR startsWith(pair.1, '${modelIdEnds.first}') AND endsWith(pair.1, '${modelIdEnds.last}') OR arrayExists(prefix -> startsWith(pair.1, prefix), {always:Array(String)})`;

/** The months of all projects that have events. */
export const eventParts: ClickhouseQuery = {
  sql: `SELECT toInt32(team_id) AS projectId, toString(toYYYYMM(timestamp)) AS period, toFloat64(count()) AS rows
FROM analytics.events GROUP BY projectId, period ORDER BY projectId, period DESC`,
  params: {},
};

/** The projects that have persons or groups. */
export const stateParts = (table: 'persons' | 'groups'): ClickhouseQuery => ({
  sql: `SELECT toInt32(team_id) AS projectId, '${table}' AS period, toFloat64(count()) AS rows
FROM analytics.${table} GROUP BY projectId ORDER BY projectId`,
  params: {},
});

const seenOf = (first: string, last: string): string =>
  `toInt64(toUnixTimestamp64Milli(min(${first}))) AS first_ms, toInt64(toUnixTimestamp64Milli(max(${last}))) AS last_ms`;

/** A name as the consumer learns it: Postgres stores no NUL. */
const storable = (name: string): string => `replaceAll(${name}, '\\0', '\ufffd')`;

const isShort = `length(name) <= ${learnedNameBytesMax}`;

/** Names of the part's events; of too many those that came last. */
export function findEvents({ projectId, period }: BackfillPart): ClickhouseQuery {
  return {
    sql: `SELECT name, ${seenOf('created_at', 'created_at')} FROM (
  SELECT ${storable('event')} AS name, created_at FROM analytics.events
  WHERE team_id = {project:Int64} AND toYYYYMM(timestamp) = {month:UInt32}
)
WHERE ${isShort}
GROUP BY name ORDER BY last_ms DESC, name LIMIT ${learnedNamesMax}`,
    params: { project: projectId, month: Number(period) },
  };
}

const sources = {
  events: {
    owner: 'event',
    index: '-1',
    first: 'created_at',
    last: 'created_at',
    id: 'uuid',
    where: 'toYYYYMM(timestamp) = {month:UInt32}',
  },
  persons: {
    owner: 'person',
    index: '-1',
    first: 'created_at',
    last: 'last_seen_at',
    id: 'id',
    where: 'NOT is_deleted',
  },
  groups: {
    owner: 'group',
    index: 'group_type_index',
    first: 'created_at',
    last: 'updated_at',
    id: 'group_key',
    where: 'NOT is_deleted',
  },
} as const;

// ClickHouse reads no names from a document with a number beyond its range, half of a surrogate pair, or too deep a nesting. The map has
// them; the kinds of their values are not known then.
const namesOf = (document: string): string =>
  `arrayJoin(if(empty(${document}), arrayMap(key -> (key, ''), mapKeys(properties)), ${document}))`;
const withoutValues = `arrayMap(key -> (key, ''), JSONExtractKeys(properties_text))`;
const isLearned = `${isShort} AND name NOT IN ({left:Array(String)})`;
const settings = `SETTINGS max_bytes_before_external_group_by = ${groupBytesMax}`;

/** Properties of the part: names of all rows, kinds of the values of one row in so many; of too many those that came last. */
export function findProperties({ projectId, period, rows }: BackfillPart): ClickhouseQuery {
  const table = period === 'persons' || period === 'groups' ? period : 'events';
  const { owner, index, first, last, id, where } = sources[table];
  return {
    sql: `SELECT group_type_index, name, ${seenOf('first', 'last')},
  toInt64(if(countIf(kind >= 0) = 0, 0, toUnixTimestamp64Milli(minIf(first, kind >= 0)))) AS first_value_ms,
  [${valueKinds.map((_, index) => `toFloat64(countIf(kind = ${index}))`).join(', ')}] AS counts
FROM (
  SELECT toInt8(${index}) AS group_type_index, ${first} AS first, ${last} AS last,
    if(cityHash64(${id}) % {step:UInt32} = 0, JSONExtractKeysAndValuesRaw(properties_text), ${withoutValues}) AS document,
    ${namesOf('document')} AS pair, ${storable('pair.1')} AS name,
    multiIf(pair.2 IN ('', 'null'), -1, ${isAlwaysText}, 3, match(pair.2, {time:String}), 2,
      transform(substring(pair.2, 1, 1), ['"', '[', '{', 't', 'f'], [3, 4, 5, 1, 1], 0)) AS kind
  FROM analytics.${table}${table === 'events' ? '' : ' FINAL'} WHERE team_id = {project:Int64} AND ${where}
)
WHERE ${isLearned}
GROUP BY group_type_index, name ORDER BY last_ms DESC, name LIMIT ${learnedNamesMax} BY group_type_index
${settings}`,
    params: {
      project: projectId,
      step: Math.ceil(rows / sampledRows),
      always: [...alwaysTextPrefixes],
      // A JSON text: the pattern within quotes.
      time: isoTime.source.replace('^', '^"').replace(/\$$/, '"$'),
      left: [...unlearnedNames[owner]],
      ...(table === 'events' && { month: Number(period) }),
    },
  };
}

/** Which events of the month carry which properties; of too many pairs those that came last. */
export function findPairs({ projectId, period }: BackfillPart): ClickhouseQuery {
  return {
    sql: `SELECT event, name AS property FROM (
  SELECT ${storable('event')} AS event, created_at, ${withoutValues} AS document, ${storable(`${namesOf('document')}.1`)} AS name
  FROM analytics.events WHERE team_id = {project:Int64} AND toYYYYMM(timestamp) = {month:UInt32}
)
WHERE ${isLearned} AND length(event) <= ${learnedNameBytesMax}
GROUP BY event, property ORDER BY max(created_at) DESC, event, property LIMIT ${learnedPairsMax}
${settings}`,
    params: { project: projectId, month: Number(period), left: [...unlearnedNames.event] },
  };
}
