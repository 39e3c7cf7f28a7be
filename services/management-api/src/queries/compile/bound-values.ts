import type { PlaceholderValues } from '@millrace/query-language/compile.ts';
import { instantOf } from '@millrace/query-language/filters/zone-time.ts';
import type { QueryValue } from '@millrace/query-language/values.ts';
import type { DeclaredVariable, VariableValue } from '../definition/variables.ts';

/** Values of a query that its definition holds, for placeholders such as `{x}`. */
export type Constants = Readonly<Record<string, unknown>>;

/** Values of one run as the compiler takes them. Times without a zone are those of `timeZone`. Pure. */
export function valuesOf(
  declared: readonly DeclaredVariable[],
  values: Readonly<Record<string, VariableValue>>,
  constants: Constants,
  timeZone = 'UTC',
): PlaceholderValues {
  const variables = declared
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ name, type }): [string, QueryValue] => [name, queryValue(type, values[name] ?? null, timeZone)]);
  return { variables: Object.fromEntries(variables), values: constants as Readonly<Record<string, QueryValue>> };
}

function queryValue(type: DeclaredVariable['type'], value: VariableValue, timeZone: string): QueryValue {
  if (value === null || typeof value === 'object') return value;
  if (type === 'String') return String(value);
  return type === 'Date' ? dateOf(String(value), timeZone) : value;
}

// A time without a zone is of the project's, wherever this process runs; JavaScript would take it as local.
function dateOf(text: string, timeZone: string): Date {
  const time = text.replace(' ', 'T');
  if (time.includes('T') && /(?:Z|[+-]\d{2}:?\d{2})$/.test(time)) return new Date(time);
  const wall = new Date(time.includes('T') ? `${time}Z` : time).getTime();
  return new Date(timeZone === 'UTC' ? wall : instantOf(wall, timeZone));
}
