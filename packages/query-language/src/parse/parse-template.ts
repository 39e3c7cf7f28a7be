import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import type { Expression } from '../tree/expressions.ts';

/** Parses `f'text {expression} text'` into the concat of its parts; of a single part it is that part, as published. */
export function parseTemplate(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { start } = cursor.peek();
  const args: Expression[] = [];
  for (let part = cursor.next(); ; part = cursor.next()) {
    if (part.text !== '') args.push({ node: 'Constant', value: part.text, start: part.start, end: part.end });
    if (!part.open) break;
    args.push(grammar.expression(cursor));
    if (cursor.peek().kind !== 'template-rest') throw cursor.unexpected('"}"');
  }
  const [first] = args;
  if (args.length > 1) return { node: 'Call', name: 'concat', args, start, end: cursor.lastEnd };
  return first ?? { node: 'Constant', value: '', start, end: cursor.lastEnd };
}
