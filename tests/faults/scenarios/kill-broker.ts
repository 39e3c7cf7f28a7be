import type { Scenario } from '../stage/scenario.ts';

export const killBroker: Scenario = {
  name: 'kill-broker',
  number: 4,
  does: 'kill -9 of the Kafka broker, which is started again at once',
  logs: ['kafka'],
  needs: { ownBroker: true },
  async run({ rig: { broker }, rounds, pause, faulted, comeIn, recovered }) {
    await rounds({ short: 1, long: 4 }, async () => {
      await pause(Math.random() * 2_000);
      await broker?.kill();
      await broker?.start();
      faulted();
      await comeIn(200);
      await recovered();
    });
  },
};
