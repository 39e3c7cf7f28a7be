import { nearestName } from '../nearest-name.ts';
import { SpanError } from '../query-error.ts';
import { logicalTables } from '../schema/logical-schema.ts';
import type { LogicalField } from '../schema/logical-table.ts';
import type { Field } from '../tree/expressions.ts';
import { plain } from '../types.ts';
import { typeName } from './type-name.ts';

/** A column as DESCRIBE shows it. */
export interface DescribedColumn {
  /** As a query writes it: `event`, `person.created_at`. */
  name: string;
  type: string;
  /** True for a column that `*` expands to. */
  inStar: boolean;
}

/** The columns of a table, including those of its nested names. Throws `unknown_table`. */
export function describeTable({ chain, start, end }: Field): DescribedColumn[] {
  const name = chain.join('.');
  const table = logicalTables.get(name);
  if (!table) {
    const near = nearestName(name, logicalTables.keys());
    const known = near === undefined ? `; the tables are ${[...logicalTables.keys()].join(', ')}` : '';
    throw new SpanError('unknown_table', `Unknown table "${name}"${known}`, { start, end }, near);
  }
  return Object.entries(table.fields).flatMap(([column, field]) =>
    field.kind === 'group'
      ? Object.entries(field.fields).map(([member, inner]) => ({
          ...described(`${column}.${member}`, inner),
          inStar: false,
        }))
      : [described(column, field)],
  );
}

function described(name: string, field: Exclude<LogicalField, { kind: 'group' }>): DescribedColumn {
  if (field.kind === 'properties')
    return { name, type: typeName({ ...plain('text', field.join !== undefined), json: true }), inStar: true };
  return { name, type: typeName(field.type), inStar: field.explicit !== true };
}
