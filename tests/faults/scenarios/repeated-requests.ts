import { bothLogs, type Scenario } from '../stage/scenario.ts';

export const repeatedRequests: Scenario = {
  name: 'repeated-requests',
  number: 10,
  does: 'clients send every third request again with the same uuids, at once and once more 20 requests later; the consumer is killed meanwhile',
  logs: bothLogs,
  fullTier: ['embedded'],
  load: { repeatEvery: 3 },
  async run({ rig: { consumer }, rounds, comeIn, pause, faulted }) {
    await rounds({ short: 2, long: 10 }, async () => {
      await comeIn(400);
      await pause(Math.random() * 1_000);
      await consumer.kill();
      faulted();
    });
  },
};
