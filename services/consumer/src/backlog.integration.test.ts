import { expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createApp } from './app.ts';
import { createHarness } from './test/harness.ts';

test('a consumer that starts before a backlog reads it in the largest batches, and looks up its duplicates in parts', async () => {
  const harness = await createHarness();
  const app = createApp(harness.config);
  try {
    // More uuids in one batch than one query of ClickHouse can carry.
    await harness.send(Array.from({ length: 7_000 }, () => ({ distinctId: 'one person, one partition' })));
    await app.start();
    await eventually(async () => expect(await harness.counts()).toEqual({ rows: 7_000, uuids: 7_000 }), {
      deadlineMs: 15_000,
    });
  } finally {
    await app.stop();
    await harness.close();
  }
}, 60_000);
