import { expectUnavailable } from '../stage/expect-unavailable.ts';
import { bothLogs, type Scenario, type Stage } from '../stage/scenario.ts';

export const diskFull: Scenario = {
  name: 'disk-full',
  number: 13,
  does: 'the disk of the embedded log, or of the broker, is full: capture says 503; with room (and the broker) it goes on by itself',
  logs: bothLogs,
  needs: { smallDisk: true, ownBroker: true },
  async run(stage) {
    const { rig, rounds, short, faulted, comeIn, recovered } = stage;
    if (rig.disk === null) throw new Error('there is no small disk');
    await rounds({ short: 1, long: 2 }, async () => {
      rig.disk?.fill();
      await expectUnavailable(stage, short ? 13_000 : 30_000);
      rig.disk?.freeSpace();
      await reviveBroker(stage);
      faulted();
      await comeIn(100);
      await recovered();
    });
  },
};

/** A broker whose disk is full dies of it, now or when it looks. */
async function reviveBroker({ rig: { broker } }: Stage): Promise<void> {
  if (broker === null) return;
  await broker.kill();
  await broker.start();
}
