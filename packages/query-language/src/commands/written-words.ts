import { costOf, spend } from '../budget.ts';
import type { Span } from '../query-error.ts';

const wordsMax = 160;
const partsMax = 30;

/** The text at these places, each once and on one line; the first 30 of more. Spends of the budget around it. */
export function wordsAt(text: string, spans: readonly Span[]): string[] {
  const words = spans.slice(0, partsMax).map((span) => {
    spend(costOf.name, span);
    return shortened(text.slice(span.start, Math.min(span.end, span.start + 2 * wordsMax)).replace(/\s+/g, ' '));
  });
  return withRest([...new Set(words)], spans.length);
}

/** Names, each once; of more than 30 the first. */
export function namesOf(names: Iterable<string>): string[] {
  const known = [...new Set(names)];
  return withRest(known.slice(0, partsMax).map(shortened), known.length);
}

function withRest(words: string[], count: number): string[] {
  return count > partsMax ? [...words, '…'] : words;
}

function shortened(words: string): string {
  return words.length > wordsMax ? `${words.slice(0, wordsMax)}…` : words;
}
