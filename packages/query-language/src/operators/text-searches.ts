import type { Span } from '../query-error.ts';
import { call, constant, type Resolved } from '../resolved.ts';
import type { TextSearchKind } from '../tree/expressions.ts';
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
    const one =
      search === 'matches'
        ? call('match', [text, value], plain('boolean', true), span)
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
