import { locationSql } from './print-location.ts';
import type { ValueLocation } from '../resolved.ts';
import type { Lookup } from '../schema/logical-table.ts';
import { quoteName } from '../quote.ts';

/**
 * Prints the joins of a table's rows: `column` for each location that is read, then `joins` once. A joined table is read
 * as one row a key, that of the highest version, and joined to at most one row: nothing is doubled, no row is lost.
 */
export class LookupJoins {
  readonly #lookups: readonly Lookup[];
  readonly #read = new Map<string, string[]>();

  constructor(lookups: readonly Lookup[]) {
    this.#lookups = lookups;
  }

  /** The value at a location, of the row itself or of a joined one. */
  column(location: ValueLocation): string {
    const { join, fallback } = location;
    if (join === undefined) return locationSql(location, '`__row`.');
    const stored = locationSql(location, '');
    const columns = this.#read.get(join.name) ?? [];
    this.#read.set(join.name, columns);
    if (!columns.includes(stored)) columns.push(stored);
    const found = `${aliasOf(join)}.${quoteName(`c${columns.indexOf(stored)}`)}`;
    return fallback === undefined
      ? found
      : `if(${aliasOf(join)}.\`__found\` = 1, assumeNotNull(${found}), ${locationSql({ column: fallback }, '`__row`.')})`;
  }

  /** SQL after the table's name. */
  joins(): string {
    const conditions = this.#lookups.map((lookup) => ` ON ${this.column(lookup.by)} = ${aliasOf(lookup)}.\`__key\``);
    const joins = this.#lookups.map(
      (lookup, index) =>
        ` LEFT ANY JOIN (${lookupRows(lookup, this.#read.get(lookup.name) ?? [])}) AS ${aliasOf(lookup)}${conditions[index] ?? ''}`,
    );
    return ` AS \`__row\`${joins.join('')}`;
  }
}

function aliasOf({ name }: Lookup): string {
  return quoteName(`__${name}`);
}

// A missing row reads as NULL because the columns are nullable, whatever the server's settings are. argMax leaves NULL out,
// hence the tuple.
function lookupRows(lookup: Lookup, columns: readonly string[]): string {
  const { physical, key, version, deleted, only } = lookup;
  if (version === undefined) return groupedRows(lookup, columns);
  const newest = `argMax(tuple(${columns.join(', ')}), ${quoteName(version)})`;
  const values = columns.map(
    (_, index) => `, toNullable(tupleElement(${newest}, ${index + 1})) AS ${quoteName(`c${index}`)}`,
  );
  const where = only === undefined ? '' : ` WHERE ${quoteName(only.column)} = ${only.value}`;
  const living = deleted === undefined ? '' : ` HAVING NOT argMax(${quoteName(deleted)}, ${quoteName(version)})`;
  return `SELECT ${quoteName(key)} AS \`__key\`, 1 AS \`__found\`${values.join('')} FROM ${physical}${where} GROUP BY ${quoteName(key)}${living}`;
}

function groupedRows({ physical, key }: Lookup, columns: readonly string[]): string {
  const values = columns.map((column, index) => `, toNullable(${column}) AS ${quoteName(`c${index}`)}`);
  return `SELECT ${quoteName(key)} AS \`__key\`, 1 AS \`__found\`${values.join('')} FROM ${physical} WHERE ${quoteName(key)} != '' GROUP BY ${quoteName(key)}`;
}
