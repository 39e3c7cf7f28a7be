import type { Span } from '../query-error.ts';
import type { Expression } from '../tree.ts';

/** The column name of an expression without an alias: a field's last part, else its text. */
export function impliedName(expr: Expression, text: string): string {
  if (expr.node === 'Field') return expr.chain[expr.chain.length - 1] ?? '';
  if (expr.node === 'ArrayAccess' && expr.property.node === 'Constant' && typeof expr.property.value === 'string') return expr.property.value;
  return withBrackets(text, expr).replace(/\s+/g, ' ').trim();
}

// Brackets are no part of what they hold, so those around the first and the last part of an expression are missing: `(a + 1) * (b + 1)`.
function withBrackets(text: string, { start, end }: Span): string {
  const missing = missingBrackets(text.slice(start, end));
  let [from, to] = [start, end];
  for (let opened = 0; opened < missing.before && text.charAt(skipBlank(text, from - 1, -1)) === '('; opened += 1) from = skipBlank(text, from - 1, -1);
  for (let closed = 0; closed < missing.behind && text.charAt(skipBlank(text, to, 1)) === ')'; closed += 1) to = skipBlank(text, to, 1) + 1;
  return text.slice(from, to);
}

function missingBrackets(written: string): { before: number; behind: number } {
  let [before, behind] = [0, 0];
  for (const [bracket] of written.replace(/'(?:[^'\\]|\\[\s\S])*'/g, '').matchAll(/[()]/g)) {
    if (bracket === '(') behind += 1;
    else if (behind > 0) behind -= 1;
    else before += 1;
  }
  return { before, behind };
}

function skipBlank(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at += step;
  return at;
}
