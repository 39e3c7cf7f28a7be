import { eventually as eventuallyHolds } from '@millrace/runtime/testing/eventually.ts';

/**
 * Asks, every 50 ms, until `check` answers without throwing, and gives its answer.
 * @throws when the deadline passes, with the words of the last failure.
 */
export function eventually<T>(check: () => T | Promise<T>, deadlineMs: number): Promise<T> {
  return eventuallyHolds(check, { deadlineMs, intervalMs: 50 });
}
