import { readText, textField } from './text-field.ts';

/** Longest id of a trace, in characters (contract/llm-surveys 2.2, 4.2; contract/decisions 71). */
const traceIdLengthMax = 255;

/** Schema of a trace's id in a body; `readTraceId` has the other rules. */
export const traceIdField = textField({
  description: 'At most 255 characters. Events of the trace need not be there.',
  examples: ['trace-1'],
});

/** Pure. @throws {AppError} blank or max_length on `trace_id` */
export const readTraceId = (value: string | number): string => readText('trace_id', value, traceIdLengthMax);
