import { textOnlyNames } from '@millrace/contracts/property-map.ts';
import { events as storedEvents } from '@millrace/contracts/tables/events.ts';
import { groups as storedGroups } from '@millrace/contracts/tables/groups.ts';
import { ingestionWarnings as storedWarnings } from '@millrace/contracts/tables/ingestion-warnings.ts';
import { logEntries as storedEntries } from '@millrace/contracts/tables/log-entries.ts';
import { personContents } from '@millrace/contracts/tables/person-contents.ts';
import { personDistinctIds as storedDistinctIds } from '@millrace/contracts/tables/person-distinct-ids.ts';
import { personOverrides } from '@millrace/contracts/tables/person-overrides.ts';
import { persons as storedPersons } from '@millrace/contracts/tables/persons.ts';
import { queryLog as storedQueryLog } from '@millrace/contracts/tables/query-log.ts';
import { issueTables } from './logical-issues.ts';
import { reviewTables } from './logical-reviews.ts';
import { elementsOfEvent } from './logical-elements.ts';
import { sessionOfEvent, sessions } from './logical-sessions.ts';
import { plain } from '../types.ts';
import type {
  ColumnField,
  LogicalField,
  LogicalTable,
  Lookup,
  OneToMany,
  PropertiesField,
  ColumnLocation,
} from './logical-table.ts';
import type { PropertyOwnerPath } from './project-schema.ts';
import { storedColumn, storedColumns } from './stored-columns.ts';

const textOnly = new Set(textOnlyNames);
const none = new Set<string>();

/** Properties of events with a column of their own, which has the name of the property. No query names it: it reads the property. */
const ownColumns = new Map(
  (['$ai_trace_id'] satisfies (keyof typeof storedEvents.columns)[]).map((column) => [column as string, column]),
);

const properties = (prefix: string, keysInText: ReadonlySet<string>, owner?: PropertyOwnerPath): PropertiesField => ({
  kind: 'properties',
  text: `${prefix}_text`,
  map: prefix,
  textOnly: keysInText,
  ...(owner && { owner }),
});

/** Distinct ids that merges moved after some of their events were stored (contract/capture 5.3). */
const moved: Lookup = {
  name: 'moved',
  physical: personOverrides.fullName,
  by: { column: 'distinct_id' },
  key: 'distinct_id',
  version: 'version',
};

/** Today's person of an event (contract/decisions 33). */
const todaysPerson: ColumnLocation = { column: 'person_id', join: moved, fallback: 'person_id' };
const personId: ColumnField = { ...storedColumn(storedEvents, 'person_id'), ...todaysPerson };

const personNow: Lookup = {
  name: 'person',
  physical: storedPersons.fullName,
  by: todaysPerson,
  key: 'id',
  version: 'version',
  deleted: 'is_deleted',
};

/** Current state of an event's group. */
function groupNow(index: 0 | 1 | 2 | 3 | 4): LogicalField {
  const join: Lookup = {
    name: `group_${index}`,
    physical: storedGroups.fullName,
    by: { column: `$group_${index}` },
    key: 'group_key',
    version: 'version',
    deleted: 'is_deleted',
    only: { column: 'group_type_index', value: index },
  };
  const time = (column: 'created_at' | 'updated_at'): ColumnField => ({
    ...storedColumn(storedGroups, column),
    type: plain('datetime', true),
    join,
  });
  return {
    kind: 'group',
    fields: {
      key: storedColumn(storedEvents, `$group_${index}`),
      created_at: time('created_at'),
      updated_at: time('updated_at'),
      properties: { ...properties('properties', none, `group_${index}`), join },
    },
  };
}

const events: LogicalTable = {
  name: 'events',
  comment: 'Captured events, one row for each event',
  physical: storedEvents.fullName,
  fields: {
    ...storedColumns(storedEvents, 'uuid', 'event'),
    properties: { ...properties('properties', textOnly, 'event'), ownColumns },
    ...storedColumns(storedEvents, 'timestamp', 'distinct_id', 'elements_chain'),
    ...elementsOfEvent,
    ...storedColumns(storedEvents, 'created_at'),
    person_id: personId,
    ...storedColumns(
      storedEvents,
      'person_mode',
      '$session_id',
      '$window_id',
      '$group_0',
      '$group_1',
      '$group_2',
      '$group_3',
      '$group_4',
    ),
    // The person is today's, its properties are those at the time of the event (contract/decisions 33).
    person: {
      kind: 'group',
      fields: {
        id: personId,
        created_at: { ...storedColumn(storedPersons, 'created_at'), type: plain('datetime', true), join: personNow },
        properties: {
          ...properties('person_properties', none, 'person'),
          contents: { physical: personContents.fullName, by: 'person_content' },
        },
      },
    },
    pdi: { kind: 'group', fields: { ...storedColumns(storedEvents, 'distinct_id'), person_id: personId } },
    session: sessionOfEvent,
    group_0: groupNow(0),
    group_1: groupNow(1),
    group_2: groupNow(2),
    group_3: groupNow(3),
    group_4: groupNow(4),
  },
};

const distinctIds: OneToMany = {
  name: 'pdi',
  physical: storedDistinctIds.fullName,
  own: 'id',
  theirs: 'person_id',
  deleted: 'is_deleted',
};

const persons: LogicalTable = {
  name: 'persons',
  comment: 'Persons, one row for each person',
  physical: storedPersons.fullName,
  versions: { keys: ['id'], version: 'version', deleted: 'is_deleted' },
  fields: {
    ...storedColumns(storedPersons, 'id', 'created_at'),
    properties: properties('properties', none, 'person'),
    ...storedColumns(storedPersons, 'is_identified', 'last_seen_at'),
    pdi: {
      kind: 'group',
      fields: {
        distinct_id: { ...storedColumn(storedDistinctIds, 'distinct_id'), oneToMany: distinctIds },
        person_id: storedColumn(storedPersons, 'id'),
      },
    },
  },
};

const personDistinctIds: LogicalTable = {
  name: 'person_distinct_ids',
  comment: 'Distinct ids and the person of each',
  physical: storedDistinctIds.fullName,
  versions: { keys: ['distinct_id'], version: 'version', deleted: 'is_deleted' },
  fields: storedColumns(storedDistinctIds, 'distinct_id', 'person_id'),
};

const groups: LogicalTable = {
  name: 'groups',
  comment: 'Groups such as companies, one row for each group',
  physical: storedGroups.fullName,
  versions: { keys: ['group_type_index', 'group_key'], version: 'version', deleted: 'is_deleted' },
  fields: {
    index: storedColumn(storedGroups, 'group_type_index'),
    key: storedColumn(storedGroups, 'group_key'),
    ...storedColumns(storedGroups, 'created_at', 'updated_at'),
    properties: properties('properties', none),
  },
};

/** Reports of the project's events that were dropped or changed (contract/capture 4.7). */
const ingestionWarnings: LogicalTable = {
  name: 'ingestion_warnings',
  comment: 'Events that were dropped or changed, and why',
  physical: storedWarnings.fullName,
  fields: storedColumns(storedWarnings, 'timestamp', 'type', 'source', 'severity', 'category', 'count', 'details'),
};

// Names that PostHog has for the same, which `*` leaves out.
const alsoNamed = (column: 'name' | 'query_start_time' | 'error_code'): ColumnField => ({
  ...storedColumn(storedQueryLog, column),
  explicit: true,
});

/** One row a run of an endpoint, or a query that is not saved (contract/endpoints 10). */
const queryLog: LogicalTable = {
  name: 'query_log',
  comment: 'Runs of endpoints and of queries that are not saved',
  physical: storedQueryLog.fullName,
  fields: {
    ...storedColumns(
      storedQueryLog,
      'query_id',
      'endpoint_id',
      'name',
      'endpoint_version',
      'query_start_time',
      'query_duration_ms',
      'read_rows',
      'read_bytes',
      'result_rows',
      'error_code',
      'path',
      'cache',
      'is_personal_api_key_request',
      'api_key_id',
      'client_query_id',
    ),
    hogql_name: alsoNamed('name'),
    event_time: alsoNamed('query_start_time'),
    event_date: { ...alsoNamed('query_start_time'), type: plain('date'), around: ['toDate(', ')'] },
    status: { ...alsoNamed('error_code'), around: ['if(', " = '', 'QueryFinish', 'ExceptionWhileProcessing')"] },
  },
};

/** The same as a text for people (contract/endpoints 7). */
const logEntries: LogicalTable = {
  name: 'log_entries',
  comment: 'The same runs, each as a line of text',
  physical: storedEntries.fullName,
  fields: storedColumns(storedEntries, 'log_source', 'log_source_id', 'instance_id', 'timestamp', 'level', 'message'),
};

/** The tables that a query may name. */
export const logicalTables: ReadonlyMap<string, LogicalTable> = new Map(
  [
    events,
    persons,
    personDistinctIds,
    groups,
    sessions,
    ingestionWarnings,
    queryLog,
    logEntries,
    ...reviewTables,
    ...issueTables,
  ].map((table) => [table.name, table]),
);
