import { bothLogs, type Scenario } from '../stage/scenario.ts';

const everyMs = 3_000;

export const rebalanceStorm: Scenario = {
  name: 'rebalance-storm',
  number: 11,
  does: 'a consumer joins or leaves every 3 s, two beside the one that stays; every other leave is a kill -9',
  logs: bothLogs,
  standstillSMax: 30,
  async run({ rig, rounds, pause, faulted }) {
    const guests = [await rig.addConsumer(), await rig.addConsumer()];
    await rounds({ short: 2, long: 10 }, async (number) => {
      const guest = guests[number % guests.length];
      await guest?.start();
      faulted();
      await pause(everyMs);
      const leaving = guests[(number + 1) % guests.length];
      await leaving?.stop(number % 4 < 2 ? 'SIGTERM' : 'SIGKILL');
      faulted();
      await pause(everyMs);
    });
    for (const guest of guests) await guest.stop('SIGTERM');
  },
};
