import { SpanError, type Span } from '../query-error.ts';

const lengthMax = 200;
const bracketsMax = 20;

/** Checks the written name of a type before it is read, which costs its length at every level. Throws `invalid_value`. */
export function checkTypeName(written: string, span: Span): void {
  if (written.length <= lengthMax && written.split('(', bracketsMax + 2).length <= bracketsMax + 1) return;
  throw new SpanError(
    'invalid_value',
    `The name of a type has at most ${lengthMax} characters and ${bracketsMax} brackets`,
    span,
  );
}
