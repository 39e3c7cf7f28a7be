// Lengths and slices are in code points, as in Python (contract/llm-surveys 5.2). Most texts have none outside the basic
// plane; these are measured and cut by units, without a copy.

const surrogate = /[\ud800-\udfff]/;

/** ASCII is told by its bytes, ten times as fast as by a pattern. */
function hasSurrogates(text: string): boolean {
  return Buffer.byteLength(text) !== text.length && surrogate.test(text);
}

/** The number of code points; a lone surrogate is one. Linear, without a copy. */
export function codePoints(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = 0;
  for (let at = 0; at < text.length; at = after(text, at)) count++;
  return count;
}

/** The first `count` code points. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  return text.slice(0, unitAt(text, count));
}

/** The unit where code point `index` begins; the length of the text when it has fewer. */
export function unitAt(text: string, index: number): number {
  if (!hasSurrogates(text)) return Math.min(index, text.length);
  let at = 0;
  for (let passed = 0; passed < index && at < text.length; passed++) at = after(text, at);
  return at;
}

function after(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? at + 2 : at + 1;
}
