import { textOnlyNames } from '@millrace/contracts/property-map.ts';
import { elementsOfEvent } from './logical-elements.ts';
import { sessionOfEvent, sessions } from './logical-sessions.ts';
import { plain, type ValueType } from '../types.ts';
import type { ColumnField, LogicalField, LogicalTable, Lookup, ManyRows, PropertiesField, StoredPlace } from './logical-table.ts';

const textOnly = new Set(textOnlyNames);
const none = new Set<string>();

const text = (column: string): ColumnField => ({ kind: 'column', column, type: plain('text') });
const typed = (column: string, kind: ValueType['kind']): ColumnField => ({ kind: 'column', column, type: plain(kind) });
const properties = (prefix: string, keysInText: ReadonlySet<string>): PropertiesField => ({ kind: 'properties', text: `${prefix}_text`, map: prefix, textOnly: keysInText });

/** Distinct ids that merges moved after some of their events were stored (contract/capture 5.3). */
const moved: Lookup = {
  name: 'moved', physical: 'analytics.person_overrides', by: { column: 'distinct_id' }, key: 'distinct_id', version: 'version',
};

/** Today's person of an event (contract/decisions 33). */
const todaysPerson: StoredPlace = { column: 'person_id', beside: moved, otherwise: 'person_id' };
const personId: ColumnField = { kind: 'column', type: plain('uuid'), ...todaysPerson };

const personNow: Lookup = { name: 'person', physical: 'analytics.persons', by: todaysPerson, key: 'id', version: 'version', deleted: 'is_deleted' };

/** What is known today of an event's group. */
function groupNow(index: number): LogicalField {
  const beside: Lookup = {
    name: `group_${index}`, physical: 'analytics.groups', by: { column: `$group_${index}` }, key: 'group_key', version: 'version', deleted: 'is_deleted',
    only: { column: 'group_type_index', value: index },
  };
  const time = (column: string): ColumnField => ({ kind: 'column', column, type: plain('datetime', true), beside });
  return {
    kind: 'group',
    fields: { key: text(`$group_${index}`), created_at: time('created_at'), updated_at: time('updated_at'), properties: { ...properties('properties', none), beside } },
  };
}

const events: LogicalTable = {
  name: 'events',
  physical: 'analytics.events',
  fields: {
    uuid: typed('uuid', 'uuid'),
    event: text('event'),
    properties: properties('properties', textOnly),
    timestamp: typed('timestamp', 'datetime'),
    distinct_id: text('distinct_id'),
    elements_chain: text('elements_chain'),
    ...elementsOfEvent,
    created_at: typed('created_at', 'datetime'),
    person_id: personId,
    person_mode: { kind: 'column', column: 'person_mode', type: plain('text'), textOf: true },
    $session_id: text('$session_id'),
    $window_id: text('$window_id'),
    $group_0: text('$group_0'),
    $group_1: text('$group_1'),
    $group_2: text('$group_2'),
    $group_3: text('$group_3'),
    $group_4: text('$group_4'),
    // The person is today's, its properties are those at the time of the event (contract/decisions 33).
    person: {
      kind: 'group',
      fields: {
        id: personId,
        created_at: { kind: 'column', column: 'created_at', type: plain('datetime', true), beside: personNow },
        properties: { ...properties('person_properties', none), contents: { physical: 'analytics.person_contents', by: 'person_content' } },
      },
    },
    pdi: { kind: 'group', fields: { distinct_id: text('distinct_id'), person_id: personId } },
    session: sessionOfEvent,
    group_0: groupNow(0),
    group_1: groupNow(1),
    group_2: groupNow(2),
    group_3: groupNow(3),
    group_4: groupNow(4),
  },
};

const distinctIds: ManyRows = { name: 'pdi', physical: 'analytics.person_distinct_ids', own: 'id', theirs: 'person_id', deleted: 'is_deleted' };

const persons: LogicalTable = {
  name: 'persons',
  physical: 'analytics.persons',
  versions: { keys: ['id'], version: 'version', deleted: 'is_deleted' },
  fields: {
    id: typed('id', 'uuid'),
    created_at: typed('created_at', 'datetime'),
    properties: properties('properties', none),
    is_identified: typed('is_identified', 'boolean'),
    last_seen_at: typed('last_seen_at', 'datetime'),
    pdi: { kind: 'group', fields: { distinct_id: { ...text('distinct_id'), many: distinctIds }, person_id: typed('id', 'uuid') } },
  },
};

const personDistinctIds: LogicalTable = {
  name: 'person_distinct_ids',
  physical: 'analytics.person_distinct_ids',
  versions: { keys: ['distinct_id'], version: 'version', deleted: 'is_deleted' },
  fields: { distinct_id: text('distinct_id'), person_id: typed('person_id', 'uuid') },
};

const groups: LogicalTable = {
  name: 'groups',
  physical: 'analytics.groups',
  versions: { keys: ['group_type_index', 'group_key'], version: 'version', deleted: 'is_deleted' },
  fields: {
    index: typed('group_type_index', 'integer'),
    key: text('group_key'),
    created_at: typed('created_at', 'datetime'),
    updated_at: typed('updated_at', 'datetime'),
    properties: properties('properties', none),
  },
};

/** What was dropped or changed of the project's events (contract/capture 4.7). */
const ingestionWarnings: LogicalTable = {
  name: 'ingestion_warnings',
  physical: 'analytics.ingestion_warnings',
  fields: {
    timestamp: typed('timestamp', 'datetime'),
    type: text('type'),
    source: text('source'),
    severity: text('severity'),
    category: text('category'),
    count: typed('count', 'integer'),
    details: text('details'),
  },
};

// Names that PostHog has for the same, which `*` leaves out.
const alsoNamed = (column: string, type: ValueType['kind'], around?: readonly [string, string]): ColumnField => ({ kind: 'column', column, type: plain(type), ...(around ? { around } : {}), asked: true });

const ifKnown = (column: string): ColumnField => ({ kind: 'column', column, type: plain('integer', true) });

/** One row a run of an endpoint, or a query that is not saved (contract/endpoints 10). */
const queryLog: LogicalTable = {
  name: 'query_log',
  physical: 'analytics.query_log',
  fields: {
    query_id: typed('query_id', 'uuid'),
    endpoint_id: typed('endpoint_id', 'uuid'),
    name: text('name'),
    endpoint_version: ifKnown('endpoint_version'),
    query_start_time: typed('query_start_time', 'datetime'),
    query_duration_ms: ifKnown('query_duration_ms'),
    read_rows: ifKnown('read_rows'),
    read_bytes: ifKnown('read_bytes'),
    result_rows: ifKnown('result_rows'),
    error_code: text('error_code'),
    path: text('path'),
    cache: text('cache'),
    is_personal_api_key_request: typed('is_personal_api_key_request', 'boolean'),
    api_key_id: text('api_key_id'),
    client_query_id: text('client_query_id'),
    hogql_name: alsoNamed('name', 'text'),
    event_time: alsoNamed('query_start_time', 'datetime'),
    event_date: alsoNamed('query_start_time', 'date', ['toDate(', ')']),
    status: alsoNamed('error_code', 'text', ['if(', " = '', 'QueryFinish', 'ExceptionWhileProcessing')"]),
  },
};

/** The same told for people (contract/endpoints 7). */
const logEntries: LogicalTable = {
  name: 'log_entries',
  physical: 'analytics.log_entries',
  fields: {
    log_source: text('log_source'),
    log_source_id: text('log_source_id'),
    instance_id: text('instance_id'),
    timestamp: typed('timestamp', 'datetime'),
    level: text('level'),
    message: text('message'),
  },
};

/** The tables that a query may name. */
export const logicalTables: ReadonlyMap<string, LogicalTable> = new Map([events, persons, personDistinctIds, groups, sessions, ingestionWarnings, queryLog, logEntries].map((table) => [table.name, table]));
