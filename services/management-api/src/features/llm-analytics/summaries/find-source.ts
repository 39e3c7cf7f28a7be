import { AppError } from '@millrace/http/errors/errors.ts';
import type { Context } from '../context.ts';
import type { SummarySource } from './source.ts';
import type { SummaryKey } from './store/summary-store.ts';

/**
 * The stored data of a trace or an event by its id (contract/llm-surveys 6.3): the one place that looks for it. Nothing is found yet.
 * @throws {AppError} not_found
 */
export function findSource(_context: Context, { type, id }: Pick<SummaryKey, 'type' | 'id'>): Promise<SummarySource> {
  const what = type === 'trace' ? 'Trace' : 'Event';
  const detail = `${what} '${id}' not found: stored events cannot be summarized by their id yet. Send them as data.`;
  return Promise.reject(new AppError('not_found', { detail }));
}
