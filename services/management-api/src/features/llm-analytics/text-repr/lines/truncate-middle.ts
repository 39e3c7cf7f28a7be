import { codePoints, unitAt } from '../values/code-points.ts';
import type { RenderOptions } from './options.ts';

/**
 * A content as the pieces that its lines are made of: itself, or its beginning and end around a note of what is missing
 * (contract/llm-surveys 5.3). With a buffer of 0 or 1 only the note is left.
 */
export function truncateMiddle(text: string, options: RenderOptions): readonly string[] {
  const { truncated, truncateBuffer } = options;
  if (!truncated || text.length <= truncateBuffer) return [text];
  const length = codePoints(text);
  if (length <= truncateBuffer) return [text];
  const half = Math.floor(truncateBuffer / 2);
  const firstEnd = unitAt(text, half);
  const lastStart = half === 0 ? text.length : unitAt(text, length - half);
  const first = text.slice(0, firstEnd);
  const last = text.slice(lastStart);
  const missing = length - truncateBuffer;
  if (!options.includeMarkers) return [`${first}\n\n... (${missing} chars truncated) ...\n\n${last}`];
  const middle = base64(text.slice(firstEnd, lastStart));
  return [first, '', `<<<TRUNCATED|${middle}|${missing}>>>`, '', last];
}

/** Standard base64 of the UTF-8 bytes; lone surrogates are U+FFFD in it. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
