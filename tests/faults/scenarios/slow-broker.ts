import type { Scenario } from '../scenario.ts';

export const slowBroker: Scenario = {
  name: 'slow-broker',
  number: 5,
  does: 'the broker answers a second late for 20 s',
  logs: ['kafka'],
  needs: { ownBroker: true },
  async run({ rig: { broker }, rounds, pause, short, faulted, comeIn }) {
    if (broker === null) throw new Error('there is no broker of our own');
    await rounds({ short: 1, long: 2 }, async () => {
      broker.line.delayMs = 1_000;
      await pause(short ? 5_000 : 20_000);
      await comeIn(20);
      broker.line.delayMs = 0;
      faulted();
      await comeIn(200);
    });
  },
};
