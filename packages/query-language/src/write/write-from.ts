import type { JoinConstraint, JoinExpr } from '../tree/statements.ts';
import { writeField } from './write-literals.ts';
import { writeName, writeNames } from './write-names.ts';
import { isStatement, listOf, type Writing } from './written.ts';

/** Tables after FROM, with their joins. */
export function writeFrom(first: JoinExpr, writing: Writing): string {
  const parts: string[] = [];
  for (let join: JoinExpr | undefined = first; join; join = join.next_join) {
    const words = [join.natural ? 'NATURAL' : '', join.join_type ?? 'CROSS JOIN'];
    if (join !== first) parts.push(...words.filter((word) => word !== ''));
    parts.push(writeTable(join, writing));
    if (join.constraint) parts.push(writeConstraint(join.constraint, writing));
  }
  return parts.join(' ');
}

function writeTable({ table, table_args, alias, columns, table_final }: JoinExpr, writing: Writing): string {
  const source = isStatement(table)
    ? `(${writing.statement(table)})`
    : table.node === 'Field'
      ? writeField(table)
      : writing.expression(table);
  return [
    `${source}${table_args ? `(${listOf(table_args, writing)})` : ''}`,
    ...(alias === undefined ? [] : [`AS ${writeName(alias)}${columns ? writeNames(columns) : ''}`]),
    ...(table_final ? ['FINAL'] : []),
  ].join(' ');
}

function writeConstraint({ constraint_type, expr }: JoinConstraint, { expression }: Writing): string {
  const text = expression(expr);
  return constraint_type === 'ON' ? `ON ${text}` : `USING ${expr.node === 'Tuple' ? text : `(${text})`}`;
}
