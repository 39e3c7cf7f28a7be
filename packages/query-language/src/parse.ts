import { costOf } from './budget.ts';
import { Cursor } from './parse/cursor.ts';
import { tokenize } from './parse/lexer.ts';
import type { Token } from './parse/lexer.ts';
import { parseExpression as parseAnyExpression } from './parse/parse-expression.ts';
import { parseRequest as parseAny } from './parse/parse-request.ts';
import { parseStatement } from './parse/parse-select.ts';
import { SpanError, withPositions } from './query-error.ts';
import { addChildNodes } from './tree/tree-nodes.ts';
import type { Expression, TreeNode } from './tree/expressions.ts';
import type { Request } from './tree/commands.ts';
import type { SelectQuery, SelectSetQuery } from './tree/statements.ts';

/** The longest query text, in UTF-16 units. */
export const queryLengthMax = 65_536;

// The engine parses at most 1,000 levels, and each level of ours may print as two.
const treeDepthMax = 400;

/**
 * Parses one SELECT (or UNION) statement. Linear in the length of the text. Throws `QueryError`
 * (`syntax_error`, `query_too_large`, `too_deep`, `not_supported`, `not_allowed`).
 */
export function parseSelect(text: string): SelectQuery | SelectSetQuery {
  return parseText(text, parseStatement).tree;
}

/** A tree, and the units of the budget that its text costs. */
export interface ParsedText<Tree> {
  tree: Tree;
  units: number;
}

/** Parses one statement, or SHOW, DESCRIBE or EXPLAIN, and counts what the text costs. Errors as of `parseSelect`. */
export function parseRequest(text: string): ParsedText<Request> {
  return parseText(text, parseAny);
}

/**
 * Parses a text that is one expression, and counts what it costs: no SELECT around it, and no alias behind it. Errors as of `parseSelect`.
 */
export function parseExpression(text: string): ParsedText<Expression> {
  return parseText(text, (cursor) => {
    const { start } = cursor.peek();
    const expr = parseAnyExpression(cursor);
    if (expr.node === 'Alias')
      throw new SpanError('not_allowed', 'An expression has no alias here', { start, end: expr.end });
    if (expr.node === 'SelectQuery' || expr.node === 'SelectSetQuery')
      throw new SpanError('not_allowed', 'Expected an expression, found a SELECT', { start, end: expr.end });
    return expr;
  });
}

function parseText<Tree extends TreeNode>(text: string, parse: (cursor: Cursor) => Tree): ParsedText<Tree> {
  return withPositions(text, () => parseTokens(text, parse));
}

function parseTokens<Tree extends TreeNode>(text: string, parse: (cursor: Cursor) => Tree): ParsedText<Tree> {
  if (text.length > queryLengthMax)
    throw new SpanError('query_too_large', `The query is longer than ${queryLengthMax} characters`, {
      start: queryLengthMax,
      end: text.length,
    });
  const tokens = tokenize(text);
  const cursor = new Cursor(tokens, text, parseStatement);
  const tree = parse(cursor);
  const severed = cursor.takeSign(';');
  if (cursor.peek().kind !== 'end') {
    if (severed) throw new SpanError('not_allowed', 'Only one statement is allowed', cursor.peek());
    throw cursor.unexpected('the end of the query');
  }
  refuseDepth(tree);
  return { tree, units: unitsOf(tokens) };
}

const openSigns: ReadonlySet<string> = new Set(['(', '[', '{', '->']);

function unitsOf(tokens: readonly Token[]): number {
  return tokens.length * costOf.token + tokens.filter(opens).length * costOf.brackets;
}

function opens({ kind, text, open }: Token): boolean {
  if (kind === 'sign') return openSigns.has(text);
  return kind === 'word' ? /^case$/i.test(text) : open === true;
}

// Long chains of operators nest without any bracket, so the tree itself is measured, without recursion.
function refuseDepth(root: TreeNode): void {
  let level: TreeNode[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > treeDepthMax)
      throw new SpanError(
        'too_deep',
        `The query is nested more than ${treeDepthMax} levels deep`,
        level[0] as TreeNode,
      );
    const below: TreeNode[] = [];
    for (const node of level) addChildNodes(node, below);
    level = below;
  }
}
