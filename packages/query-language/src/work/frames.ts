import { functionCosts } from '../functions/function-cost.ts';
import { SpanError, type Span } from '../query-error.ts';
import type { Resolved, ResolvedWindow, WindowFrame } from '../resolved.ts';

// Rows near one by value, of a window over more rows than are known: a slice of a large table.
const usualFrame = 200_000;
const unknownNanoseconds = 50;
const placed: ReadonlySet<string> = new Set([
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'cume_dist',
  'ntile',
  'lag',
  'lead',
  'lagInFrame',
  'leadInFrame',
  'nth_value',
]);

/**
 * Nanoseconds for each row of a window: where its frame begins elsewhere than that of the row before, the engine reads all of the frame
 * again. `rows` are the most that there are. Throws `wrong_arguments` for a moving frame to the last row: the engine computes all of its rows at once.
 */
export function frameNanoseconds({ frame }: ResolvedWindow, call: Resolved, rows: number, span: Span): number {
  if (!frame || !isMoving(frame) || call.kind !== 'call' || placed.has(call.name)) return 0;
  if (frame.to && placeOf(frame.to) === Infinity)
    throw new SpanError(
      'wrong_arguments',
      'A frame from a moving row to UNBOUNDED FOLLOWING reads all later rows for every row; reverse the ORDER BY and write ROWS BETWEEN UNBOUNDED PRECEDING AND …',
      span,
    );
  const length = frame.method === 'RANGE' ? usualFrame : placeOf(frame.to) - placeOf(frame.from) + 1;
  return (
    Math.max(0, Math.min(length, rows)) *
    (functionCosts.get(`aggregate ${call.name}`)?.nanoseconds ?? unknownNanoseconds)
  );
}

function isMoving({ method, from, to }: WindowFrame): boolean {
  return placeOf(from) !== -Infinity && (method === 'ROWS' || placeOf(from) !== 0 || placeOf(to) !== 0);
}

function placeOf(bound: WindowFrame['to']): number {
  if (!bound || bound.type === 'CURRENT ROW') return 0;
  return (bound.rows ?? Infinity) * (bound.type === 'PRECEDING' ? -1 : 1);
}
