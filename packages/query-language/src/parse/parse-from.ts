import type { Cursor } from './cursor.ts';
import { grammar, parseExpression } from './parse-expression.ts';
import { parseBraces } from './parse-primary.ts';
import { holdsStatement } from './parse-parenthesis.ts';
import { takeJoin, type JoinWords } from './parse-join-type.ts';
import { SpanError } from '../query-error.ts';
import type { Expression, Field } from '../tree/expressions.ts';
import type { JoinConstraint, JoinExpr } from '../tree/statements.ts';
import { reservedAsAlias } from './words.ts';

/** Parses the tables after FROM and their joins into the published chain of `next_join`, in which brackets leave no trace. */
export function parseFrom(cursor: Cursor): JoinExpr {
  const first = parseTables(cursor);
  let last = lastOf(first);
  for (let words = takeJoin(cursor); words; words = takeJoin(cursor)) {
    const next = parseTables(cursor);
    Object.assign(next, words);
    if (next.next_join) refuseOuter(next, words);
    const constraint = words.join_type === 'CROSS JOIN' ? undefined : parseConstraint(cursor);
    if (constraint && words.natural)
      throw new SpanError(
        'syntax_error',
        'NATURAL JOIN takes no condition: it compares the columns that both sides have',
        constraint,
      );
    if (constraint) {
      next.constraint = constraint;
      if (!next.next_join) next.end = constraint.end;
    }
    last.next_join = next;
    last = lastOf(next);
  }
  return first;
}

function lastOf(join: JoinExpr): JoinExpr {
  let last = join;
  while (last.next_join) last = last.next_join;
  return last;
}

const inner = new Set(['JOIN', 'INNER JOIN', 'CROSS JOIN']);

// Joins in brackets after a join mean the same without them only when no row of theirs may be left out or filled up before the others are joined.
function refuseOuter(bracket: JoinExpr, words: JoinWords): void {
  let same = inner.has(words.join_type) && !words.natural;
  for (let join = bracket.next_join; join; join = join.next_join)
    same &&= !join.natural && (inner.has(join.join_type ?? '') || /^LEFT (OUTER )?JOIN$/.test(join.join_type ?? ''));
  if (!same)
    throw new SpanError(
      'not_supported',
      `${words.natural ? 'NATURAL ' : ''}${words.join_type} of several tables in brackets is not supported; join a sub-query: ${words.join_type} (SELECT … FROM a JOIN b ON …) AS x ON …`,
      bracket,
    );
}

// A table, or several in brackets.
function parseTables(cursor: Cursor): JoinExpr {
  if (!cursor.isSign('(') || holdsStatement(cursor)) return parseTable(cursor);
  cursor.next();
  const tables = cursor.nested(() => parseFrom(cursor));
  cursor.expectSign(')');
  return tables;
}

function parseTable(cursor: Cursor): JoinExpr {
  // Nothing but a list depends on the tables before it.
  if (cursor.areWords('lateral', 'unnest')) cursor.next();
  const { start } = cursor.peek();
  const table = parseTableName(cursor);
  const join: JoinExpr = { node: 'JoinExpr', table, start, end: cursor.lastEnd };
  if (table.node === 'Field' && cursor.isSign('(')) join.table_args = parseTableArguments(cursor, table);
  const alias = takeAlias(cursor);
  if (alias !== undefined) join.alias = alias;
  if (alias !== undefined && cursor.isSign('(')) {
    if (table.node === 'Field' && !join.table_args) throw cursor.notSupported("Column names after a table's alias");
    join.columns = parseColumnNames(cursor);
  }
  if (cursor.takeWords('final')) join.table_final = true;
  if (cursor.isWord('sample') && !takeWholeSample(cursor))
    throw new SpanError(
      'not_supported',
      'SAMPLE of a part is not supported: tables have no sampling key. Write WHERE cityHash64(distinct_id) % 10 = 0 for a tenth of the people, the same ones every time, or rand() % 10 = 0 for a tenth of the rows',
      cursor.peek(),
    );
  if (cursor.isWord('pivot') || cursor.isWord('unpivot')) throw cursor.notSupported('PIVOT');
  join.end = cursor.lastEnd;
  return join;
}

// `SAMPLE 1` is every row: what PostHog's own insights show has it.
function takeWholeSample(cursor: Cursor): boolean {
  const part = cursor.peek(1);
  return (
    part.kind === 'number' &&
    Number(part.text) === 1 &&
    !cursor.isSign('/', 2) &&
    cursor.takeWords('sample') &&
    cursor.next() === part
  );
}

function parseTableName(cursor: Cursor): JoinExpr['table'] {
  const token = cursor.peek();
  if (cursor.isSign('{')) return parseParameter(cursor);
  if (cursor.isSign('(')) {
    cursor.next();
    const query = cursor.nested(() => cursor.parseStatement(cursor));
    const { end } = cursor.expectSign(')');
    return { ...query, start: token.start, end };
  }
  return parseTablePath(cursor);
}

function parseParameter(cursor: Cursor): JoinExpr['table'] {
  const braces = parseBraces(cursor, grammar);
  if (braces.node === 'Dict') throw new SpanError('syntax_error', 'Expected a table, found a map', braces);
  return braces;
}

/** Parses the name of a table: words with points between them. */
export function parseTablePath(cursor: Cursor): Field {
  const { start } = cursor.peek();
  const chain: string[] = [];
  do {
    const token = cursor.peek();
    const reserved = token.kind === 'word' && reservedAsAlias.has(token.text.toLowerCase()) && chain.length === 0;
    if ((token.kind !== 'word' && token.kind !== 'name') || reserved) throw cursor.unexpected('a table');
    chain.push(cursor.next().text);
  } while (cursor.takeSign('.'));
  return { node: 'Field', chain, start, end: cursor.lastEnd };
}

function parseTableArguments(cursor: Cursor, { chain, start }: Field): Expression[] {
  if (chain.length === 1 && /^values$/i.test(chain[0] ?? ''))
    throw new SpanError('not_supported', "Write rows of values in brackets: (VALUES (1, 'a'), (2, 'b')) AS t(x, y)", {
      start,
      end: cursor.lastEnd,
    });
  cursor.expectSign('(');
  const args: Expression[] = [];
  while (!cursor.isSign(')')) {
    args.push(parseExpression(cursor));
    if (!cursor.takeSign(',')) break;
  }
  cursor.expectSign(')');
  if (cursor.areWords('with', 'ordinality'))
    throw new SpanError(
      'not_supported',
      'WITH ORDINALITY is not supported; ARRAY JOIN list AS item, arrayEnumerate(list) AS place gives the places',
      cursor.peek(),
    );
  return args;
}

function takeAlias(cursor: Cursor): string | undefined {
  const explicit = cursor.takeWords('as');
  const token = cursor.peek();
  const isName =
    token.kind === 'name' || (token.kind === 'word' && (explicit || !reservedAsAlias.has(token.text.toLowerCase())));
  if (!isName) {
    if (explicit) throw cursor.unexpected('a name after AS');
    return undefined;
  }
  cursor.next();
  return token.text;
}

/** Parses `(a, b)`, the names of the columns after the name of a sub-query. */
export function parseColumnNames(cursor: Cursor): string[] {
  cursor.expectSign('(');
  const names: string[] = [];
  do {
    const token = cursor.peek();
    if (token.kind !== 'word' && token.kind !== 'name') throw cursor.unexpected('the name of a column');
    names.push(cursor.next().text);
  } while (cursor.takeSign(','));
  cursor.expectSign(')');
  return names;
}

function parseConstraint(cursor: Cursor): JoinConstraint | undefined {
  const { start } = cursor.peek();
  if (cursor.takeWords('using')) {
    const expr = parseUsing(cursor);
    return { node: 'JoinConstraint', constraint_type: 'USING', expr, start, end: cursor.lastEnd };
  }
  if (!cursor.takeWords('on')) return undefined;
  const expr = parseExpression(cursor);
  return { node: 'JoinConstraint', constraint_type: 'ON', expr, start, end: expr.end };
}

// USING a, b and USING (a, b): the published tree has a tuple for more than one.
function parseUsing(cursor: Cursor): Expression {
  const first = parseExpression(cursor);
  if (first.node === 'Tuple' || !cursor.isSign(',')) return first;
  const exprs: Expression[] = [first];
  while (cursor.takeSign(',')) exprs.push(parseExpression(cursor));
  return { node: 'Tuple', exprs, start: first.start, end: cursor.lastEnd };
}
