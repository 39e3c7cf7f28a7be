import {
  Array as ArrayType,
  Boolean,
  Literal,
  Object as ObjectType,
  Record,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { logicalTables } from '@millrace/query-language/schema/logical-schema.ts';
import type { LogicalTable } from '@millrace/query-language/schema/logical-table.ts';
import { tableColumns } from '@millrace/query-language/schema/table-columns.ts';
import type { ValueKind, ValueType } from '@millrace/query-language/types.ts';

const nameOfExample = StringType({ examples: ['events'] });

const Field = ObjectType(
  {
    name: StringType({ examples: ['person.id'] }),
    hogql_value: StringType({ examples: ['person.id'], description: 'The name as a query writes it.' }),
    type: StringType({
      examples: ['string'],
      description: 'integer, float, string, datetime, date, boolean, array, json or unknown.',
    }),
    schema_valid: Boolean({ examples: [true] }),
  },
  { title: 'DatabaseSchemaField' },
);

const Table = ObjectType(
  { type: Literal('posthog'), id: nameOfExample, name: nameOfExample, fields: Record(StringType(), Field) },
  { title: 'DatabaseSchemaTable' },
);

/** The tables that a query may name, as editors of PostHog read them (contract/clients B9). */
export const DatabaseSchema = ObjectType(
  {
    tables: Record(StringType(), Table),
    joins: ArrayType(Unknown(), { examples: [[]], description: 'Always empty: joins follow from names.' }),
  },
  { title: 'DatabaseSchema' },
);

const words: Readonly<{ [Kind in ValueKind]?: string }> = {
  integer: 'integer',
  float: 'float',
  text: 'string',
  uuid: 'string',
  datetime: 'datetime',
  date: 'date',
  boolean: 'boolean',
  array: 'array',
  map: 'json',
};

/** A type in the words of PostHog. */
const wordOf = ({ kind, json }: ValueType): string => (json ? 'json' : (words[kind] ?? 'unknown'));

function renderTable(table: LogicalTable): Static<typeof Table> {
  const { name } = table;
  const fields = tableColumns(table).map(
    ({ name: column, type }) =>
      [column, { name: column, hogql_value: column, type: wordOf(type), schema_valid: true }] as const,
  );
  return { type: 'posthog', id: name, name, fields: Object.fromEntries(fields) };
}

/** The same for every project. */
export const databaseSchema: Static<typeof DatabaseSchema> = {
  tables: Object.fromEntries([...logicalTables].map(([name, table]) => [name, renderTable(table)] as const)),
  joins: [],
};
