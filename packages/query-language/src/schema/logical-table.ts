import type { ValueType } from '../types.ts';
import type { PropertyOwnerPath } from './project-schema.ts';

/** A left join to the newest row of a key in another table. It is printed once a query reads one of its columns. */
export interface Lookup {
  /** The same name is the same join. */
  name: string;
  physical: string;
  /** Column of the row that holds the key. */
  by: ColumnLocation;
  key: string;
  /** Rows are versions of their key; left out when they are `grouped`. */
  version?: string;
  /** Many rows a key, and every value is computed from all of them; rows whose key is empty belong to none. */
  grouped?: true;
  /** Left out when rows are never marked deleted. */
  deleted?: string;
  /** Only rows with this number in this column. */
  only?: { column: string; value: number };
}

/** A one-to-many join: each row of the other table is shown in a row of its own. */
export interface OneToMany {
  name: string;
  physical: string;
  /** The row's own column that equals `theirs`. */
  own: string;
  theirs: string;
  deleted: string;
}

/** A table of large JSON objects, which rows name instead of holding them: with the columns `id`, `properties_text` and `properties`. */
export interface Contents {
  physical: string;
  /** The row's own column: the object's id; 0 when it is in the row. */
  by: string;
}

/** Location of a value: in the row itself, or in a joined table. */
export interface ColumnLocation {
  column: string;
  /** An expression of ours in place of a stored column. */
  sql?: string;
  /** SQL of ours before and after the stored column. */
  around?: readonly [before: string, behind: string];
  join?: Lookup;
  oneToMany?: OneToMany;
  /** The row's own column, read where `join` finds no row; without it the value is NULL there. */
  fallback?: string;
}

/** A plain column. `textOf` marks an enum, which is read through toString. */
export interface ColumnField extends ColumnLocation {
  kind: 'column';
  type: ValueType;
  textOf?: true;
  /** Only read when it is named: `*` leaves it out. */
  explicit?: true;
}

/** The stored forms of the keys of a JSON object. */
export interface StoredKeys {
  map: string;
  /** Keys that are in the text alone. */
  textOnly: ReadonlySet<string>;
  /** Keys that have a column beside the map, with the same value. */
  ownColumns?: ReadonlyMap<string, string>;
}

/** A JSON object, stored as its text and as a map of its keys. */
export interface PropertiesField extends StoredKeys {
  kind: 'properties';
  text: string;
  /** Left out where rows have properties of several owners. */
  owner?: PropertyOwnerPath;
  join?: Lookup;
  contents?: Contents;
}

/** A name that only groups others: `person` of an event. */
interface GroupField {
  kind: 'group';
  fields: Readonly<Record<string, ColumnField | PropertiesField>>;
}

export type LogicalField = ColumnField | PropertiesField | GroupField;

/** Rows are versions: only the newest of each key is shown, and not when it is marked deleted (contract/decisions 34). */
export interface Versions {
  keys: readonly string[];
  version: string;
  deleted: string;
}

/** A table as users see it. What is not declared here cannot be named. */
export interface LogicalTable {
  name: string;
  /** One line for SHOW TABLES. */
  comment: string;
  physical: string;
  /** Left out when every row counts. */
  versions?: Versions;
  /** Rows are groups of stored rows: those that share this column, unless it is empty. Their values are `sql`. */
  groupedBy?: string;
  fields: Readonly<Record<string, LogicalField>>;
}
