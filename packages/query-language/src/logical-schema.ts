import { plain, type ValueType } from './types.ts';

/** A plain column. `textOf` marks an enum, which is read through toString. */
export interface ColumnField {
  kind: 'column';
  column: string;
  type: ValueType;
  textOf?: true;
}

/** A JSON object, stored as its text and as a map of its keys. Keys in `textOnly` are in the text alone. */
export interface PropertiesField {
  kind: 'properties';
  text: string;
  map: string;
  textOnly: ReadonlySet<string>;
}

/** A name that only groups others: `person` of an event. */
interface GroupField {
  kind: 'group';
  fields: Readonly<Record<string, ColumnField | PropertiesField>>;
}

export type LogicalField = ColumnField | PropertiesField | GroupField;

/** Rows are versions: only the newest of each key is shown, and not when it is marked deleted (contract/decisions 34). */
export interface Versions {
  key: string;
  version: string;
  deleted: string;
}

/** A table as users see it. What is not declared here cannot be named. */
export interface LogicalTable {
  name: string;
  physical: string;
  /** Left out when every row counts. */
  versions?: Versions;
  fields: Readonly<Record<string, LogicalField>>;
}

// Payloads of language models stay out of the map.
const textOnly = new Set(['$ai_input', '$ai_output', '$ai_output_choices', '$ai_input_state', '$ai_output_state']);
const none = new Set<string>();

const text = (column: string): ColumnField => ({ kind: 'column', column, type: plain('text') });
const typed = (column: string, kind: ValueType['kind']): ColumnField => ({ kind: 'column', column, type: plain(kind) });
const properties = (prefix: string, keysInText: ReadonlySet<string>): PropertiesField => ({ kind: 'properties', text: `${prefix}_text`, map: prefix, textOnly: keysInText });

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
    created_at: typed('created_at', 'datetime'),
    person_id: typed('person_id', 'uuid'),
    person_mode: { kind: 'column', column: 'person_mode', type: plain('text'), textOf: true },
    $session_id: text('$session_id'),
    $window_id: text('$window_id'),
    $group_0: text('$group_0'),
    $group_1: text('$group_1'),
    $group_2: text('$group_2'),
    $group_3: text('$group_3'),
    $group_4: text('$group_4'),
    // The person's properties are those at the time of the event (contract/decisions 33).
    person: { kind: 'group', fields: { id: typed('person_id', 'uuid'), properties: properties('person_properties', none) } },
  },
};

const persons: LogicalTable = {
  name: 'persons',
  physical: 'analytics.persons',
  versions: { key: 'id', version: 'version', deleted: 'is_deleted' },
  fields: {
    id: typed('id', 'uuid'),
    created_at: typed('created_at', 'datetime'),
    properties: properties('properties', none),
    is_identified: typed('is_identified', 'boolean'),
  },
};

/** The tables that a query may name. */
export const logicalTables: ReadonlyMap<string, LogicalTable> = new Map([events, persons].map((table) => [table.name, table]));
