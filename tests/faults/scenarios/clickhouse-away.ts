import { bothLogs, type Scenario } from '../stage/scenario.ts';

export const clickhouseAway: Scenario = {
  name: 'clickhouse-away',
  number: 6,
  does: 'ClickHouse is away for a minute: capture takes everything, nothing is dropped, and no event becomes a dead letter',
  logs: bothLogs,
  fullTier: ['kafka'],
  async run({ rig: { clickhouse }, rounds, pause, short, faulted, comeIn }) {
    await rounds({ short: 1, long: 1 }, async () => {
      await clickhouse.kill('SIGTERM');
      await comeIn(100);
      await pause(short ? 3_000 : 60_000);
      await clickhouse.start();
      faulted();
    });
  },
};
