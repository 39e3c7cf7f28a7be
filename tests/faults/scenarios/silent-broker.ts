import type { Scenario } from '../stage/scenario.ts';

export const silentBroker: Scenario = {
  name: 'silent-broker',
  number: 5,
  does: 'connections to the broker are half open for 20 s: nothing passes, none is closed',
  logs: ['kafka'],
  needs: { ownBroker: true },
  async run({ rig: { broker }, rounds, pause, short, faulted, comeIn, recovered }) {
    if (broker === null) throw new Error('there is no broker of our own');
    await rounds({ short: 1, long: 2 }, async () => {
      broker.line.state = 'silent';
      await pause(short ? 8_000 : 20_000);
      broker.line.state = 'open';
      faulted();
      await comeIn(200);
      await recovered();
    });
  },
};
