import { expect, test } from '@jest/globals';
import { LogUnavailableError, OutcomeUnknownError } from '@millrace/event-log/event-log.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { createStoreFailures } from './store-failures.ts';

test('an outage is logged with its cause, and again while it lasts, in a few lines whatever the load', () => {
  let nowMs = 0;
  const lines: [string, number][] = [];
  const logger = {
    warn: ({ err, requests }: { err: Error; requests: number }) => lines.push([err.message, requests]),
  } as unknown as Logger;
  const failures = createStoreFailures(logger, () => nowMs);
  failures.record(new OutcomeUnknownError('late'));
  failures.record(new LogUnavailableError('full'));
  for (; nowMs < 10_000; nowMs += 10) failures.record(new OutcomeUnknownError('late'));
  expect(lines).toEqual([
    ['late', 1],
    ['full', 1],
  ]);
  failures.record(new OutcomeUnknownError('still late'));
  failures.record(new LogUnavailableError('still full'));
  expect(lines.slice(2)).toEqual([
    ['still late', 1_001],
    ['still full', 1],
  ]);
});
