import { expect, test } from '@jest/globals';
import { partitionOf } from '@millrace/event-log/partition.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createApp } from './app.ts';
import { createHarness, type Harness } from './test/harness.ts';

function someoneInPartition(wanted: number, { token, log }: Harness): string {
  for (let number = 0; ; number++)
    if (partitionOf(`${token}:${number}`, log.partitions) === wanted) return String(number);
}

test('a log that was made anew begins at offset 0 again, and ClickHouse takes none of its batches for one of the old log', async () => {
  for (const life of ['first', 'second']) {
    const harness = await createHarness();
    const app = createApp(harness.config);
    try {
      await harness.send([{ distinctId: someoneInPartition(3, harness), event: life }]);
      await app.start();
      await eventually(async () => expect(await harness.counts()).toEqual({ rows: 1, uuids: 1 }));
    } finally {
      await app.stop();
      await harness.close();
    }
  }
}, 60_000);
