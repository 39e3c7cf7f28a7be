import { expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { logEntryOf, queryLogRowOf, type RunPath, type RunRecord } from '../../../../queries/log/run-record.ts';
import { recordRun } from './record-run.ts';

// The log of a run that failed says which of its queries did (contract/endpoints 7).
function failed(paths: readonly RunPath[]) {
  const added: RunRecord[] = [];
  const recorder = recordRun({
    found: { endpoint: { id: 'e', name: 'n' } },
    auth: { project: { id: 1 }, caller: { keyId: 'k' } },
    context: { clock: { nowMs: () => 0 }, runRecords: { add: (record: RunRecord) => void added.push(record) } },
    signal: new AbortController().signal,
  } as unknown as Parameters<typeof recordRun>[0]);
  for (const path of paths) recorder.onPath(path);
  recorder.failed({ version: { version: 1 }, request: { clientQueryId: null } }, new AppError('query_timeout'));
  return added.map((record) => ({ message: logEntryOf(record).message, path: queryLogRowOf(record).path }));
}

test.each<[readonly RunPath[], RunPath]>([
  [[], 'inline'],
  [['inline'], 'inline'],
  [['materialized'], 'materialized'],
  [['materialized', 'inline'], 'inline'],
  [['materialized', 'materialized_fallback'], 'materialized_fallback'],
])('a run that failed after %j has the path %s', (paths, path) => {
  expect(failed(paths)).toEqual([{ message: expect.stringContaining(`path=${path} `), path }]);
});
