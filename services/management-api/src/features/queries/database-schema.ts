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

/** The tables that a query may name, as editors of PostHog read them (contract/clients B9). */
export const DatabaseSchema = ObjectType(
  {
    tables: Record(
      StringType(),
      ObjectType(
        {
          type: Literal('posthog'),
          id: nameOfExample,
          name: nameOfExample,
          fields: Record(StringType(), Field),
        },
        { title: 'DatabaseSchemaTable' },
      ),
    ),
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

/** The same for every project. */
export const databaseSchema: Static<typeof DatabaseSchema> = {
  tables: Object.fromEntries(
    [...logicalTables.values()].map((table) => {
      const fields = tableColumns(table).map(({ name, type }) => [
        name,
        { name, hogql_value: name, type: wordOf(type), schema_valid: true },
      ]);
      return [table.name, { type: 'posthog', id: table.name, name: table.name, fields: Object.fromEntries(fields) }];
    }),
  ),
  joins: [],
};
