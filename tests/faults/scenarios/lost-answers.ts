import { bothLogs, type Scenario } from '../stage/scenario.ts';

export const lostReplies: Scenario = {
  name: 'lost-answers',
  number: 7,
  does: 'ClickHouse hears everything, and for a second each of its answers is cut off with its connection; 3 s of peace between',
  logs: bothLogs,
  async run({ rig: { clickhouse }, rounds, pause, faulted }) {
    await rounds({ short: 2, long: 15 }, async () => {
      clickhouse.line.state = 'answerless';
      await pause(1_000);
      clickhouse.line.state = 'open';
      faulted();
      await pause(3_000);
    });
  },
};
