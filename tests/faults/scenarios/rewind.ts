import { delay } from '@millrace/runtime/clock.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';
import type { Rig } from '../rig/rig.ts';

const records = 10_000n;
const settleMs = 4_000;

export const rewind: Scenario = {
  name: 'rewind',
  number: 10,
  does: 'what the consumer has committed is set back by 10,000 records in each stream, or to its beginning: all of it is read again',
  logs: bothLogs,
  // Single events, so that there are many records.
  load: { clients: 48, perSecond: 300, perBatch: 1 },
  async run({ rig, rounds, faulted, recovered, pause, note }) {
    let total = 0n;
    await rounds({ short: 1, long: 4 }, async () => {
      await pause(2_000);
      await rig.consumer.stop('SIGTERM');
      total += await setBack(rig);
      await rig.consumer.start();
      faulted();
      await recovered();
    });
    note(`${total} records were read again`);
  },
};

/** Answers by how many records in all. */
async function setBack(rig: Rig): Promise<bigint> {
  const log = await rig.openLog('rewinder');
  let total = 0n;
  const subscription = await log.subscribe({
    group: 'consumer',
    lanes: ['main'],
    onStream: async (stream) => {
      const { committed } = stream;
      if (committed === null || committed.offset === 0n) return;
      const offset = committed.offset > records ? committed.offset - records : 0n;
      await stream.commit({ offset, metadata: '' });
      total += committed.offset - offset;
    },
  });
  // Streams come one after the other, on Kafka after the group has gathered.
  const deadline = Date.now() + settleMs * 5;
  for (let before = -1n; Date.now() < deadline && (total === 0n || before !== total);) {
    before = total;
    await delay(settleMs);
  }
  await subscription.close();
  await log.close();
  return total;
}
