import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createApp } from '../app.ts';
import { createHarness, type Harness } from '../test/harness.ts';

// docs/reliability.md 5: ordinary events do not wait for the object storage.

let harness: Harness;
beforeAll(async () => void (harness = await createHarness()), 60_000);
afterAll(() => harness?.close(), 30_000);

const silent = (): Promise<never> => new Promise(() => undefined);
const storage: ObjectFiles = {
  put: silent,
  receive: silent,
  get: silent,
  head: silent,
  copy: silent,
  delete: silent,
  list: () => ({ [Symbol.asyncIterator]: () => ({ next: silent }) }),
  start: silent,
  close: () => undefined,
};

test('a consumer starts beside an object storage that says nothing, and stores events', async () => {
  const app = createApp(harness.config, { storage });
  await app.start();
  const [uuid] = await harness.send([{ event: 'ordinary' }]);
  await eventually(
    async () => {
      const rows = await harness.rows(
        `SELECT 1 AS one FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
      );
      expect(rows).toHaveLength(1);
    },
    { deadlineMs: 30_000 },
  );
  await app.stop();
});
