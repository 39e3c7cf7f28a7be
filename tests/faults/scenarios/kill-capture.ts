import { bothLogs, type Scenario } from '../stage/scenario.ts';

const aliveMsMax = 2_000;

export const killCapture: Scenario = {
  name: 'kill-capture',
  number: 2,
  does: 'kill -9 of capture; on Kafka, where it has several processes, of its first and of one that takes events in turn',
  logs: bothLogs,
  async run({ rig: { capture }, rounds, pause, faulted, comeIn }) {
    await rounds({ short: 3, long: 20 }, async (number) => {
      await pause(Math.random() * aliveMsMax);
      const worker = capture.pids[1];
      if (worker !== undefined && number % 2 === 1) process.kill(worker, 'SIGKILL');
      else await capture.kill();
      faulted();
      await comeIn(40);
    });
  },
};
