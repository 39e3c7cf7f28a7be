import { nearestName } from '../nearest-name.ts';
import { SpanError } from '../query-error.ts';
import { logicalTables } from '../schema/logical-schema.ts';
import { tableColumns } from '../schema/table-columns.ts';
import type { Field } from '../tree/expressions.ts';
import type { DescribedColumn } from './described-column.ts';
import { learnedProperties } from './learned-properties.ts';
import { typeName } from './type-name.ts';

/** The columns of a table, including those of its nested names, and the properties that its rows are known to have. Throws `unknown_table`. */
export function describeTable({ chain, start, end }: Field): DescribedColumn[] {
  const name = chain.join('.');
  const table = logicalTables.get(name);
  if (!table) {
    const near = nearestName(name, logicalTables.keys());
    const known = near === undefined ? `; the tables are ${[...logicalTables.keys()].join(', ')}` : '';
    throw new SpanError('unknown_table', `Unknown table "${name}"${known}`, { start, end }, near);
  }
  const columns = tableColumns(table).map(({ type, ...column }) => ({ ...column, type: typeName(type) }));
  const { properties } = table.fields;
  const owner = properties?.kind === 'properties' ? properties.owner : undefined;
  return owner === undefined ? columns : [...columns, ...learnedProperties(owner, { start, end })];
}
