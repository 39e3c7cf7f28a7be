import { quoteName, quoteText } from './print-constant.ts';
import type { Place } from '../resolved.ts';

/** A stored column, one key of a stored map, or what is computed in their place. `prefix` is empty or a table's printed name with its point. */
export function placeSql(place: Place, prefix: string): string {
  if (place.sql !== undefined) return place.sql;
  const column = prefix + quoteName(place.column);
  if (place.around) return place.around[0] + column + place.around[1];
  if (place.key !== undefined) return `${column}[${quoteText(place.key)}]`;
  return place.textOf ? `toString(${column})` : column;
}
