import { expectUnavailable } from '../stage/expect-unavailable.ts';
import type { Scenario } from '../stage/scenario.ts';

export const brokerAway: Scenario = {
  name: 'broker-away',
  number: 4,
  does: 'the Kafka broker is away for a minute: capture says 503 with Retry-After within 2 s, stays below 250 MB, and goes on by itself',
  logs: ['kafka'],
  needs: { ownBroker: true },
  async run(stage) {
    await stage.rounds({ short: 1, long: 1 }, async () => {
      await stage.rig.broker?.kill('SIGTERM');
      await expectUnavailable(stage, stage.short ? 14_000 : 60_000);
      await stage.rig.broker?.start();
      stage.faulted();
      await stage.comeIn(100);
    });
  },
};
