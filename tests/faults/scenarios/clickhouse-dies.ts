import { bothLogs, type Scenario } from '../stage/scenario.ts';

export const clickhouseDies: Scenario = {
  name: 'clickhouse-dies',
  number: 6,
  does: 'kill -9 of ClickHouse at the moment when an insert of events is on its way to it, and a start',
  logs: bothLogs,
  async run({ rig: { clickhouse }, rounds, faulted }) {
    await rounds({ short: 2, long: 10 }, async () => {
      const { promise: inserting, resolve } = Promise.withResolvers<void>();
      clickhouse.line.onRequest = (bytes) => {
        if (bytes.includes('INSERT%20INTO%20analytics.events') || bytes.includes('INSERT+INTO+analytics.events'))
          resolve();
      };
      await inserting;
      clickhouse.line.onRequest = null;
      await clickhouse.kill();
      await clickhouse.start();
      faulted();
    });
  },
};
