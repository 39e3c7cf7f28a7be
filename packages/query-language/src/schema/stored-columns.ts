import type { ColumnType, DeclaredTable, NullableType, PlainType } from '@millrace/contracts/tables/declare-table.ts';
import { plain, type ValueKind, type ValueType } from '../types.ts';
import type { ColumnField } from './logical-table.ts';

const kinds: Readonly<Record<PlainType, ValueKind>> = {
  Int64: 'integer',
  UInt64: 'integer',
  UInt8: 'integer',
  Bool: 'boolean',
  String: 'text',
  'LowCardinality(String)': 'text',
  UUID: 'uuid',
  "DateTime64(6, 'UTC')": 'datetime',
  'Map(String, Nullable(String))': 'map',
};

const others: Readonly<Record<NullableType | 'Array(String)', ValueType>> = {
  'Nullable(String)': plain('text', true),
  'Nullable(UInt64)': plain('integer', true),
  'Nullable(Float64)': plain('float', true),
  'Nullable(Bool)': plain('boolean', true),
  'Array(String)': { kind: 'array', nullable: false, item: plain('text') },
};

/** A column that the table is declared to have, as queries see it. */
export function storedColumn<Table extends DeclaredTable>(
  { columns }: Table,
  column: keyof Table['columns'] & string,
): ColumnField {
  const type = columns[column] as ColumnType;
  if (type in others) return { kind: 'column', column, type: others[type as keyof typeof others] };
  if (type.startsWith('Enum8(')) return { kind: 'column', column, type: plain('text'), textOf: true };
  return { kind: 'column', column, type: plain(kinds[type as PlainType]) };
}

/** Columns that the table is declared to have, under their own names. */
export function storedColumns<Table extends DeclaredTable>(
  table: Table,
  ...names: (keyof Table['columns'] & string)[]
): Record<string, ColumnField> {
  return Object.fromEntries(names.map((name) => [name, storedColumn(table, name)]));
}
