import type { Span } from '../query-error.ts';
import { call, constant, type Resolved } from '../resolved.ts';
import type { TextSearchKind } from '../tree/made-expressions.ts';
import { plain } from '../types.ts';
import { toText } from './conversions.ts';

/** Whether the text contains one of `sought`, in whatever case, or matches one of these patterns. A property that is not set does neither. */
export function searchText(
  search: TextSearchKind,
  subject: Resolved,
  sought: readonly Resolved[],
  span: Span,
): Resolved {
  const text = toText(subject);
  const found = sought.map((value) => {
    const pattern = search === 'matches' ? value : foldedPattern(value);
    const one =
      pattern !== undefined
        ? call('match', [text, pattern], plain('boolean', true), span)
        : call(
            'greater',
            [
              call('positionCaseInsensitiveUTF8', [text, value], plain('integer', true), span),
              constant(0, plain('integer'), span),
            ],
            plain('boolean', true),
            span,
          );
    return call('ifNull', [one, constant(false, plain('boolean'), span)], plain('boolean'), span);
  });
  const [only] = found;
  return found.length === 1 && only ? only : call('or', found, plain('boolean'), span);
}

// The engine's search in whatever case is fast, and misses letters that have three cases (Σ σ ς, Ǆ ǅ ǆ), and those of some scripts: with
// letters beyond ASCII a pattern of the same letters is looked for.
function foldedPattern(value: Resolved): Resolved | undefined {
  if (value.kind !== 'constant' || typeof value.value !== 'string' || isAscii(value.value)) return undefined;
  if (value.value.length > foldedLengthMax) return undefined;
  const pattern = `(?i)${value.value.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}`;
  return constant(pattern, plain('text'), value);
}

// A pattern has at most 1,000 steps, one for each letter.
const foldedLengthMax = 900;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
