import { eventually } from '@millrace/runtime/testing/eventually.ts';

/** Resolves once `isTrue`; polls every 5 ms. @throws after `withinMs`, with the name of what was expected. */
export function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  expected: string,
  withinMs = 15_000,
): Promise<void> {
  const attempt = async (): Promise<void> => {
    if (!(await isTrue())) throw new Error(`waited in vain for ${expected}`);
  };
  return eventually(attempt, { deadlineMs: withinMs, intervalMs: 5 });
}
