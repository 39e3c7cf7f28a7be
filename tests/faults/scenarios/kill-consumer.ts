import { dyingConsumer } from '../rig/settings.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

// Between the mark of what may be half done and its insert; between persons and events; between insert and commit.
const places = ['pending-committed', 'persons-applied', 'rows-inserted'];
const aliveMsMax = 1_500;

export const killConsumer: Scenario = {
  name: 'kill-consumer',
  number: 1,
  does: 'kill -9 of the consumer at random; its next life mostly ends exactly between pending mark and insert, persons and events, or insert and commit',
  logs: bothLogs,
  async run({ rig: { consumer }, rounds, pause, faulted }) {
    // Three of four rounds are two deaths: 50 in all.
    await rounds({ short: 4, long: 29 }, async (number) => {
      await pause(Math.random() * aliveMsMax);
      const { deaths } = consumer;
      const place = places[number % 4];
      await consumer.kill(
        place === undefined ? undefined : { script: dyingConsumer, args: [place, String(1 + (number % 5))] },
      );
      faulted();
      if (place === undefined) return;
      await consumer.died(deaths + 2);
      faulted();
    });
  },
};
