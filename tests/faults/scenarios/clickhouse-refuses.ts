import { bothLogs, type Scenario } from '../stage/scenario.ts';

const partsMax = (parts: number): string =>
  `ALTER TABLE analytics.events MODIFY SETTING parts_to_throw_insert = ${parts}, parts_to_delay_insert = ${parts}`;

export const clickhouseRefuses: Scenario = {
  name: 'clickhouse-refuses',
  number: 6,
  does: 'ClickHouse refuses every insert of events for 30 s, because the table has too many parts',
  logs: bothLogs,
  fullTier: ['embedded'],
  async run({ rig: { store, consumer }, rounds, pause, short, faulted, recovered, wrong }) {
    await rounds({ short: 1, long: 2 }, async () => {
      await store.command(partsMax(1));
      try {
        await pause(short ? 4_000 : 30_000);
        if ((await fetch(`${consumer.operationsUrl}/_readiness`)).status !== 503)
          wrong('the consumer said that it was ready while ClickHouse refused');
      } finally {
        await store.command(partsMax(100_000));
      }
      faulted();
      await recovered();
    });
  },
};
