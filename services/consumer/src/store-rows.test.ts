import { expect, test } from '@jest/globals';
import type { EventRow, IngestionWarningRow } from '@millrace/clickhouse/tables.ts';
import type { IdentityStates } from './identity/apply-identity.ts';
import { storeRows } from './store-rows.ts';
import { testDraft } from './test-support/drafts.ts';

const nothing: IdentityStates = { persons: [], removed: [], mappings: [], groups: [] };

test('no event is stored before the warnings about it: what is done again says nothing about events that are stored', async () => {
  const inserted: string[] = [];
  const warnings = Promise.withResolvers<void>();
  const outputs = {
    insert: async (table: string): Promise<void> => {
      if (table === 'ingestion_warnings') await warnings.promise;
      inserted.push(table);
    },
    keepDeadLetters: () => Promise.resolve(),
  };
  const storing = storeRows({ outputs, retry: (_, work) => work(0) }, 'token', {
    events: [{ row: {} as EventRow, draft: testDraft(), place: '1.0' }],
    states: nothing,
    warnings: [{} as IngestionWarningRow],
    letters: [],
    refusedLetter: () => {
      throw new Error('nothing is refused');
    },
  });
  await new Promise(setImmediate);
  expect(inserted).toEqual([]);
  warnings.resolve();
  expect(await storing).toBe(0);
  expect(inserted).toEqual(['ingestion_warnings', 'events']);
});
