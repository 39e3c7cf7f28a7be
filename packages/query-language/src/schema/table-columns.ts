import { plain, type ValueType } from '../types.ts';
import type { LogicalField, LogicalTable } from './logical-table.ts';

/** A column of a table as a query writes it: `event`, `person.created_at`. */
export interface TableColumn {
  name: string;
  type: ValueType;
  /** True for a column that `*` expands to. */
  inStar: boolean;
}

/** The columns of a table, including those of its nested names. */
export function tableColumns({ fields }: LogicalTable): TableColumn[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'group'
      ? Object.entries(field.fields).map(([member, inner]) => ({
          ...columnOf(`${name}.${member}`, inner),
          inStar: false,
        }))
      : [columnOf(name, field)],
  );
}

function columnOf(name: string, field: Exclude<LogicalField, { kind: 'group' }>): TableColumn {
  if (field.kind === 'properties')
    return { name, type: { ...plain('text', field.join !== undefined), json: true }, inStar: true };
  return { name, type: field.type, inStar: field.explicit !== true };
}
