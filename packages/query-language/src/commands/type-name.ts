import type { ValueKind, ValueType } from '../types.ts';

const names: Partial<Record<ValueKind, string>> = {
  integer: 'Int64',
  float: 'Float64',
  decimal: 'Decimal',
  text: 'String',
  uuid: 'UUID',
  date: 'Date',
  datetime: 'DateTime',
  boolean: 'Bool',
  interval: 'Interval',
  null: 'Nothing',
  state: 'AggregateFunction',
};

/** Parts of a type that are written out: a tuple of tuples may have any number. */
const partsMax = 30;

/** The type in the words of ClickHouse: `Nullable(String)`, `Array(Int64)`; `JSON` is a whole object. */
export function typeName(type: ValueType): string {
  return written(type, { left: partsMax });
}

function written(type: ValueType, parts: { left: number }): string {
  parts.left -= 1;
  if (parts.left < 0) return '…';
  const { kind, item, items = [] } = type;
  if (kind === 'array') return `Array(${item ? written(item, parts) : '…'})`;
  if (kind === 'map') return `Map(String, ${item ? written(item, parts) : '…'})`;
  if (kind === 'tuple') {
    const shown = items.slice(0, Math.max(0, parts.left)).map((member) => written(member, parts));
    return `Tuple(${[...shown, ...(shown.length < items.length ? ['…'] : [])].join(', ')})`;
  }
  const name = type.json ? 'JSON' : (names[kind] ?? 'Dynamic');
  return type.nullable ? `Nullable(${name})` : name;
}
