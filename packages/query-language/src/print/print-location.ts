import type { ValueLocation } from '../resolved.ts';
import type { Contents } from '../schema/logical-table.ts';
import { quoteName, quoteText } from '../quote.ts';

/** A stored column, one key of a stored map, or what is computed in their place. `prefix` is empty or a table's printed name with its point. */
export function locationSql(location: ValueLocation, prefix: string): string {
  if (location.sql !== undefined) return location.sql;
  if (location.ownColumn !== undefined) return prefix + quoteName(location.ownColumn);
  const column = prefix + quoteName(location.column);
  if (location.around) return location.around[0] + column + location.around[1];
  const member = location.key === undefined ? '' : `[${quoteText(location.key)}]`;
  if (location.contents) return orNamed(column + member, prefix, member, location.contents);
  if (member !== '') return column + member;
  return location.textOf ? `toString(${column})` : column;
}

/**
 * The member, read from the row or from the object that the row names. ClickHouse reads both sub-queries once a query,
 * of the tenant's own rows; for a tenant without large objects the first reads one row, and nothing else is left of it.
 */
function orNamed(inRow: string, prefix: string, member: string, { physical, by }: Contents): string {
  const named = prefix + quoteName(by);
  const all = `(SELECT groupArray((\`id\`, ${member === '' ? '`properties_text`' : `\`properties\`${member}`})) FROM ${physical})`;
  const value = `transform(${named}, tupleElement(${all}, 1), tupleElement(${all}, 2), ${member === '' ? "''" : 'NULL'})`;
  return `if((SELECT count() FROM (SELECT 1 FROM ${physical} LIMIT 1)) = 0, ${inRow}, if(${named} = 0, ${inRow}, ${value}))`;
}
