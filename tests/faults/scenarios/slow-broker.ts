import type { Scenario } from '../stage/scenario.ts';

export const slowBroker: Scenario = {
  name: 'slow-broker',
  number: 5,
  does: 'the broker answers 0.4 s late for 15 s, which clients wait for, then 1 s late, which capture answers with 503',
  logs: ['kafka'],
  needs: { ownBroker: true },
  async run({ rig: { broker }, rounds, pause, short, faulted, comeIn, recovered }) {
    if (broker === null) throw new Error('there is no broker of our own');
    await rounds({ short: 1, long: 2 }, async () => {
      broker.line.delayMs = 400;
      await comeIn(100);
      await pause(short ? 1_000 : 15_000);
      broker.line.delayMs = 1_000;
      await pause(short ? 4_000 : 15_000);
      broker.line.delayMs = 0;
      faulted();
      await comeIn(200);
      await recovered();
    });
  },
};
