import type { ColumnsExpr } from '../tree/expressions.ts';
import { quoted, writeMember, writeName, writeNames } from './write-names.ts';
import { listOf, wholeText, type Writing, type Written } from './written.ts';

/** Several columns: `* EXCEPT (a)`, `COLUMNS('pattern')`, `COLUMNS(a, b)`. */
export function writeColumnsExpression(expr: ColumnsExpr, writing: Writing): Written {
  const { table = [], exclude, replace } = expr;
  const prefix = table.map((name, at) => `${at === 0 ? writeName(name) : writeMember(name)}.`).join('');
  const replaced = Object.entries(replace ?? {}).map(
    ([name, value]) =>
      `${value.node === 'Lambda' ? `(${writing.expression(value)})` : writing.expression(value)} AS ${writeName(name)}`,
  );
  const parts = [
    `${prefix}${writeChosen(expr, writing)}`,
    ...(exclude ? [`EXCEPT ${writeNames(exclude)}`] : []),
    ...(replace ? [`REPLACE (${replaced.join(', ')})`] : []),
  ];
  return wholeText(parts.join(' '));
}

function writeChosen({ regex, columns }: ColumnsExpr, writing: Writing): string {
  if (regex !== undefined) return `COLUMNS(${quoted(regex)})`;
  if (!columns) return '*';
  const list = listOf(columns, writing);
  const [only] = columns;
  // A text alone would be a pattern.
  const isText = columns.length === 1 && only?.node === 'Constant' && typeof only.value === 'string';
  return `COLUMNS(${isText ? `(${list})` : list})`;
}
