import { AppError } from '@millrace/http/errors/errors.ts';

/** The error about a trace or an event that was not found in its window (contract/llm-surveys 6.3). */
export function notInWindow(what: 'Trace' | 'Event', id: string): AppError {
  return new AppError('not_found', { detail: `${what} '${id}' not found in the given date range.` });
}
