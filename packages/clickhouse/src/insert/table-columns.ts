import type { ColumnType, DeclaredTable, NullableType, PlainType } from '@millrace/contracts/tables/declare-table.ts';
import {
  array,
  bool,
  dateTime64,
  enum8,
  float64,
  int64,
  nullable,
  propertyMap,
  string,
  uint64,
  uint8,
  uuid,
  type Column,
} from './columns.ts';

const plainColumns = {
  Int64: int64,
  UInt64: uint64,
  UInt8: uint8,
  Bool: bool,
  String: string,
  'LowCardinality(String)': string,
  UUID: uuid,
  "DateTime64(6, 'UTC')": dateTime64,
  'Map(String, Nullable(String))': propertyMap,
} satisfies Record<PlainType, Column<never>>;

const otherColumns = {
  'Nullable(String)': nullable(string),
  'Nullable(UInt64)': nullable(uint64),
  'Nullable(Float64)': nullable(float64),
  'Nullable(Bool)': nullable(bool),
  'Array(String)': array(string),
} satisfies Record<NullableType | 'Array(String)', Column<never>>;

const columnsByType = { ...plainColumns, ...otherColumns };
type NamedType = keyof typeof columnsByType;

/** The names in `'full' = 0, 'propertyless' = 1`. */
type NamesIn<Members extends string> = Members extends `'${infer Name}' = ${infer Rest}`
  ? Name | (Rest extends `${string}, ${infer More}` ? NamesIn<More> : never)
  : never;

type ColumnOf<Type extends ColumnType> = Type extends NamedType
  ? (typeof columnsByType)[Type]
  : Type extends `Enum8(${infer Members})`
    ? Column<NamesIn<Members>>
    : never;

type ColumnsOf<Table extends DeclaredTable> = {
  readonly [Name in keyof Table['columns']]: ColumnOf<Table['columns'][Name]>;
};

/** A row of a table as `insertRows` takes it. */
export type RowOf<Table extends DeclaredTable> = {
  readonly [Name in keyof Table['columns']]: ColumnOf<Table['columns'][Name]> extends Column<infer Value>
    ? Value
    : never;
};

/** Encodings of a table's columns, in their order. */
export function columnsOf<Table extends DeclaredTable>({ columns }: Table): ColumnsOf<Table> {
  return Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, columnOf(type)])) as ColumnsOf<Table>;
}

/** Encoding of a type. */
export function columnOf(type: ColumnType): Column<unknown> {
  if (!type.startsWith('Enum8(')) return columnsByType[type as NamedType] as Column<unknown>;
  const numbers = new Map(
    [...type.matchAll(/'(\w+)' = (\d+)/g)].map(([, name = '', number]) => [name, Number(number)]),
  );
  return enum8(numbers) as Column<unknown>;
}
