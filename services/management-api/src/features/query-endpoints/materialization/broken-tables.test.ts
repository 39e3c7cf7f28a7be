import { beforeEach, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { RunnableVersion } from '../store/runnable-endpoint.ts';
import { createBrokenTables } from './broken-tables.ts';

// A table that is gone is built again at once, instead of being tried by each run for the rest of its window (contract/endpoints 6.5).
let warned: unknown[];
let wanted: string[];
let nowMs: number;
beforeEach(() => {
  [warned, wanted, nowMs] = [[], [], 0];
});

const opened = () =>
  createBrokenTables(
    {
      wantedBuilds: { want: ({ id }: RunnableVersion) => void wanted.push(id) },
      logger: { warn: (facts: object) => void warned.push(facts) },
    },
    () => nowMs,
  );
const version = (id: string) => ({ id }) as RunnableVersion;

test('a table that is gone is logged once, and its version is built once', () => {
  const broken = opened();
  const error = new AppError('error');
  for (let run = 0; run < 100; run++) broken.report(error, version('v'), 'one');
  expect(warned).toEqual([{ err: error, versionId: 'v', table: 'one' }]);
  expect(wanted).toEqual(['v']);
  broken.report(error, version('w'), 'other');
  expect([warned.length, wanted]).toEqual([2, ['v', 'w']]);
});

test('a version whose new tables have the same fault is built no more often than one of the least freshness', () => {
  const broken = opened();
  for (let run = 0; run < 100; run++) {
    nowMs = run * 10_000;
    broken.report(new Error('the plan of a table cannot be read'), version('v'), `table ${run}`);
  }
  expect(wanted).toHaveLength(2);
});

test.each(['query_timeout', 'query_memory_limit', 'query_error', 'unavailable', 'query_too_large'] as const)(
  'a table that fails by %s is not built: a new one would fail too',
  (code) => {
    const broken = opened();
    for (let run = 0; run < 3; run++) broken.report(new AppError(code), version('v'), 'one');
    expect([warned.length, wanted]).toEqual([1, []]);
    // A later fault of another kind is not hidden by it.
    broken.report(new AppError('error'), version('v'), 'one');
    expect([warned.length, wanted]).toEqual([2, ['v']]);
  },
);
