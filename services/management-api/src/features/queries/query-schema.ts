import { Array as ArrayType, Integer, Object as ObjectType, String as StringType, Unsafe, type Static } from 'typebox';
import { propertyTypes, type PropertyType } from '@millrace/contracts/property-types.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { typeName } from '@millrace/query-language/commands/type-name.ts';
import { listFunctions, type ListedFunction } from '@millrace/query-language/functions/list-functions.ts';
import { logicalTables } from '@millrace/query-language/schema/logical-schema.ts';
import { tableColumns } from '@millrace/query-language/schema/table-columns.ts';
import type { RecentNames } from './recent-names.ts';

const Column = ObjectType(
  {
    name: StringType({ examples: ['event'] }),
    type: StringType({ examples: ['String'], description: 'As DESCRIBE shows it.' }),
  },
  { title: 'QuerySchemaColumn' },
);

const Table = ObjectType(
  {
    name: StringType({ examples: ['events'] }),
    comment: StringType({ examples: ['Captured events, one row for each event'] }),
    columns: ArrayType(Column),
  },
  { title: 'QuerySchemaTable' },
);

const FunctionOfQueries = ObjectType(
  {
    name: StringType({ examples: ['uniq'] }),
    kind: Unsafe<ListedFunction['kind']>({
      type: 'string',
      enum: ['scalar', 'aggregate', 'window'],
      examples: ['aggregate'],
      description: '`window`: only with OVER.',
    }),
    least_arguments: nullable(Integer({ minimum: 0, examples: [1], description: 'null: not known.' })),
    most_arguments: nullable(Integer({ minimum: 0, examples: [null], description: 'null: any number, or not known.' })),
    signature: StringType({
      examples: ['uniq(any, any...) -> integer'],
      description: '`?` may be left out, `...` any number. `name(…)` where the arguments are not known.',
    }),
  },
  { title: 'QuerySchemaFunction' },
);

const Property = ObjectType(
  {
    owner: StringType({ examples: ['event'], description: 'event, person, or group_0 to group_4.' }),
    name: StringType({ examples: ['plan'] }),
    type: Unsafe<PropertyType | null>({
      type: ['string', 'null'],
      enum: [...propertyTypes, null],
      examples: ['String'],
      description: 'Type that queries read it as; null until it is settled.',
    }),
  },
  { title: 'QuerySchemaProperty' },
);

/** Everything that a query may name (contract/decisions 74). */
export const QuerySchema = ObjectType(
  {
    tables: ArrayType(Table),
    functions: ArrayType(FunctionOfQueries),
    events: ArrayType(StringType(), { examples: [['signed_up']], description: 'Newest first, at most 1000.' }),
    more_events: Integer({ minimum: 0, examples: [0], description: 'How many there are beyond these.' }),
    properties: ArrayType(Property, { description: 'Newest first, at most 1000.' }),
    more_properties: Integer({ minimum: 0, examples: [0], description: 'How many there are beyond these.' }),
  },
  { title: 'QuerySchema' },
);

const tables = [...logicalTables.values()].map((table) => ({
  name: table.name,
  comment: table.comment,
  columns: tableColumns(table).map(({ name, type }) => ({ name, type: typeName(type) })),
}));

const functions = listFunctions().map(({ name, kind, least, most, signature }) => ({
  name,
  kind,
  least_arguments: least,
  most_arguments: most === Infinity ? null : most,
  signature,
}));

/** Pure. */
export function renderQuerySchema({ events, properties }: RecentNames): Static<typeof QuerySchema> {
  return {
    tables,
    functions,
    events: events.rows.map(({ name }) => name),
    more_events: events.more,
    properties: properties.rows.map(({ owner, name, type }) => ({ owner, name, type })),
    more_properties: properties.more,
  };
}
