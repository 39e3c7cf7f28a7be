import { readText, trimmed } from '../fields/text-field.ts';

const traceIdLengthMax = 255;

/** Pure. @throws {AppError} blank or max_length on `trace_id` */
export const readTraceId = (value: string | number): string => readText('trace_id', value, traceIdLengthMax);

/** The comment as it is stored; null when nothing is left of it. Pure. */
export function readComment(value: string | number | null | undefined): string | null {
  const text = trimmed(value ?? '');
  return text === '' ? null : text;
}
