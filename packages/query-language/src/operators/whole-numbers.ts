import { once } from './array-items.ts';
import type { Span } from '../query-error.ts';
import { call, fixed, type Resolved } from '../resolved.ts';
import { plain } from '../types.ts';

/**
 * Text as a whole number of this ClickHouse type. A text of digits keeps all of them; any other number is read as a float and
 * rounded toward zero: '9.5' is 9, '1e3' is 1000. NULL for what is no number, or none that fits.
 */
export function wholeNumberOf(text: Resolved, clickhouse: string, span: Span): Resolved {
  return once(text, (value) => read(value, clickhouse, span), '__text', span);
}

function read(text: Resolved, clickhouse: string, span: Span): Resolved {
  const cast = (value: Resolved): Resolved =>
    call('accurateCastOrNull', [value, fixed(clickhouse, span)], plain('integer', true), span);
  const float = plain('float', true);
  const rounded = call('trunc', [call('toFloat64OrNull', [text], float, span)], float, span);
  return call('ifNull', [cast(text), cast(rounded)], plain('integer', true), span);
}
