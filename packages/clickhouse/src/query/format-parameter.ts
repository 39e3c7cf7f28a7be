/** Values that can be bound to a parameter `{name:Type}` of a query. Times are texts. */
export type ParameterValue = null | boolean | number | bigint | string | readonly ParameterValue[];

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' };

/** A value as ClickHouse reads it from `param_<name>`: escaped text, and inside lists quoted text. Pure. */
export function formatParameter(value: ParameterValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return isList(value) ? `[${value.map(formatItem).join(',')}]` : String(value);
}

function formatItem(value: ParameterValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${escaped(value)}'`;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return formatParameter(value);
}

// Array.isArray does not narrow a read-only list.
const isList = (value: ParameterValue): value is readonly ParameterValue[] => Array.isArray(value);

const escaped = (text: string): string => text.replaceAll(/[\t\n\r'\\]/g, (char) => escapes[char] as string);
