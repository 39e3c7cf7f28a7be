import { parseSelect } from '../parse.ts';
import { QueryError } from '../query-error.ts';
import type { Expression, ListedColumn } from '../tree/expressions.ts';
import { isSameTree } from '../tree/tree-nodes.ts';
import type { Writing } from './written.ts';

/**
 * A column as its author wrote it, where the text of the tree would give it another name. Code may have changed the tree since: then the
 * author's text no longer says it.
 */
export function writeNamedColumn(column: ListedColumn, writing: Writing): string {
  const text = writing.expression(column);
  const own = onOneLine(column.written ?? text);
  return own !== onOneLine(text) && isTextOf(own, column) ? own : text;
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function isTextOf(text: string, column: Expression): boolean {
  try {
    const {
      node: _node,
      start: _start,
      end: _end,
      select = [],
      ...clauses
    } = parseSelect(`SELECT ${text}`) as SelectParts;
    return Object.keys(clauses).length === 0 && select.length === 1 && isSameTree(select[0], column);
  } catch (error) {
    if (error instanceof QueryError) return false;
    throw error;
  }
}

type SelectParts = Expression & { select?: Expression[] };
