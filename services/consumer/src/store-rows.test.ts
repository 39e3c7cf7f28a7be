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
    events: [{ row: {} as EventRow, draft: testDraft(), place: '1.0', size: 1 }],
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

test('rows that are too much for one insert go in several, each under the places that it reaches from and to', async () => {
  const inserted: [token: string | null, rows: number][] = [];
  const outputs = {
    insert: (_: string, { length }: { length: number }, token: string | null): Promise<void> => Promise.resolve(void inserted.push([token, length])),
    keepDeadLetters: () => Promise.resolve(),
  };
  const draft = testDraft();
  const events = Array.from({ length: 4 }, (_, index) => ({ row: {} as EventRow, draft, place: `7.${index}`, size: index === 3 ? 300_000_000 : 100_000_000 }));
  const refusedLetter = (): never => {
    throw new Error('nothing is refused');
  };
  await storeRows({ outputs, retry: (_, work) => work(0) }, 'token', { events, states: nothing, warnings: [], letters: [], refusedLetter });
  expect(inserted).toEqual([['events:token/7.0~7.1', 2], ['events:token/7.2~7.2', 1], ['events:token/7.3~7.3', 1]]);
});
