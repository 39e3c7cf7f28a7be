import type { ParameterList } from '../parameters.ts';
import type { ValueKind, ValueType } from '../types.ts';
import type { ConstantValue } from '../values.ts';

/** Prints a constant: numbers, booleans and NULL as literals, everything that is text in some way as a bound parameter. */
export function printConstant(value: ConstantValue, type: ValueType, parameters: ParameterList): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number' || typeof value === 'bigint') return printNumber(value);
  if (typeof value === 'string') return parameters.add(value, clickhouseType(type));
  if (type.item?.kind === 'integer' || type.item?.kind === 'float')
    return `[${value.map((item) => printConstant(item, type.item ?? type, parameters)).join(', ')}]`;
  return parameters.add(value, clickhouseType(type));
}

// ClickHouse reads a literal without a point as an integer, where JavaScript prints 1e21 or 5.
function printNumber(value: number | bigint): string {
  const text = String(value);
  return value < 0 ? `(${text})` : text;
}

const typeNames: Partial<Record<ValueKind, string>> = {
  text: 'String',
  uuid: 'UUID',
  datetime: "DateTime64(6, 'UTC')",
  date: 'Date',
  boolean: 'Bool',
  integer: 'Int64',
  float: 'Float64',
};

function clickhouseType(type: ValueType): string {
  if (type.kind === 'array') {
    const item = clickhouseType(type.item ?? { kind: 'text', nullable: false });
    return `Array(${type.item?.nullable ? `Nullable(${item})` : item})`;
  }
  return typeNames[type.kind] ?? 'String';
}
