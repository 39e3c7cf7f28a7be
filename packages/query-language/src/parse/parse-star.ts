import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { writtenColumn } from './written-column.ts';
import { SpanError } from '../query-error.ts';
import type { ColumnsExpr, Expression, Field } from '../tree/expressions.ts';

/** Parses the words after `*` and `t.*`: EXCEPT, also spelt EXCLUDE, and REPLACE. Without them the star stays a field. */
export function parseStar(cursor: Cursor, star: Field, grammar: ExpressionGrammar): Expression {
  const modifiers = parseModifiers(cursor, grammar);
  return modifiers
    ? {
        node: 'ColumnsExpr',
        all_columns: true,
        ...modifiers,
        ...tableOf(star.chain),
        start: star.start,
        end: cursor.lastEnd,
      }
    : star;
}

/** True when `COLUMNS(…)` begins here. Without arguments it is an ordinary call. */
export function startsColumns(cursor: Cursor): boolean {
  return cursor.isWord('columns') && cursor.isSign('(', 1) && !cursor.isSign(')', 2) && !cursor.isWord('distinct', 2);
}

/** Parses `COLUMNS('pattern')` and `COLUMNS(a, b)`; `prefix` is the table before it and the word itself. */
export function parseColumnsCall(
  cursor: Cursor,
  prefix: readonly string[],
  start: number,
  grammar: ExpressionGrammar,
): ColumnsExpr {
  cursor.expectSign('(');
  const chosen =
    cursor.peek().kind === 'string' && cursor.isSign(')', 1)
      ? { regex: cursor.next().text }
      : inBrackets(parseList(cursor, grammar));
  cursor.expectSign(')');
  const named = {
    node: 'ColumnsExpr' as const,
    ...chosen,
    ...(prefix.length > 1 ? tableOf(prefix) : {}),
    start,
    end: cursor.lastEnd,
  };
  const modifiers = parseModifiers(cursor, grammar);
  if (modifiers && (named.columns ?? named.replace))
    throw new SpanError('syntax_error', `EXCEPT and REPLACE are only allowed after * and COLUMNS('pattern')`, {
      start,
      end: cursor.lastEnd,
    });
  return { ...named, ...modifiers, end: cursor.lastEnd };
}

function parseList(cursor: Cursor, grammar: ExpressionGrammar): Expression[] {
  const columns: Expression[] = [];
  do {
    const { place } = cursor;
    columns.push(writtenColumn(cursor, place, grammar.expression(cursor)));
  } while (cursor.takeSign(',') && !cursor.isSign(')'));
  return columns;
}

// `COLUMNS(* REPLACE (…))` means the content of its brackets, as published.
function inBrackets(columns: Expression[]): Partial<ColumnsExpr> {
  const [only] = columns;
  if (columns.length !== 1 || only?.node !== 'ColumnsExpr' || !only.replace) return { columns };
  return only;
}

function tableOf(chain: readonly string[]): Pick<ColumnsExpr, 'table'> {
  return chain.length > 1 ? { table: chain.slice(0, -1) } : {};
}

type Modifiers = Pick<ColumnsExpr, 'exclude' | 'replace'>;

function parseModifiers(cursor: Cursor, grammar: ExpressionGrammar): Modifiers | undefined {
  const exclude = startsExclusion(cursor) ? parseExclusion(cursor) : undefined;
  const replace = cursor.takeWords('replace') ? parseReplacements(cursor, grammar) : undefined;
  if (!exclude && !replace) return undefined;
  if (replace && startsExclusion(cursor))
    throw new SpanError('syntax_error', 'EXCEPT must come before REPLACE', cursor.peek());
  return { ...(exclude ? { exclude } : {}), ...(replace ? { replace } : {}) };
}

// EXCEPT before a query is the set operation.
function startsExclusion(cursor: Cursor): boolean {
  return cursor.isWord('exclude') || (cursor.isWord('except') && !startsOperand(cursor));
}

function startsOperand(cursor: Cursor): boolean {
  const word = (ahead: number): boolean =>
    cursor.isWord('select', ahead) || cursor.isWord('with', ahead) || cursor.isSign('(', ahead);
  if (cursor.isWord('all', 1) || cursor.isWord('distinct', 1)) return word(2);
  return cursor.isWord('select', 1) || cursor.isWord('with', 1) || (cursor.isSign('(', 1) && word(2));
}

function parseExclusion(cursor: Cursor): string[] {
  cursor.next();
  const bracket = cursor.takeSign('(');
  const exclude: string[] = [];
  do {
    const token = cursor.peek();
    if (token.kind !== 'word' && token.kind !== 'name') throw cursor.unexpected('the name of a column');
    exclude.push(cursor.next().text);
  } while (bracket && cursor.takeSign(','));
  if (bracket) cursor.expectSign(')');
  return exclude;
}

function parseReplacements(cursor: Cursor, grammar: ExpressionGrammar): Record<string, Expression> {
  const bracket = cursor.takeSign('(');
  // Names are users': this object inherits none.
  const replace = Object.create(null) as Record<string, Expression>;
  do {
    const expr = grammar.expression(cursor);
    if (expr.node !== 'Alias') throw cursor.unexpected('AS and the name of the column that is replaced');
    if (expr.alias in replace) throw new SpanError('invalid_name', `REPLACE names "${expr.alias}" twice`, expr);
    replace[expr.alias] = expr.expr;
  } while (bracket && cursor.takeSign(','));
  if (bracket) cursor.expectSign(')');
  return replace;
}
