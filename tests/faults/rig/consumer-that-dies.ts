// The consumer as its main.ts starts it, but for one thing: it dies as by kill -9 when it passes a named place for the
// so-manieth time. Its orders come on the command line; the product itself knows no such thing.
//   consumer-that-dies.ts PLACE TIMES
import { createApp } from '@millrace/consumer/app';
import { readConsumerConfig } from '@millrace/consumer/config';
import { runProcess } from '@millrace/runtime/process/run-process.ts';

const [place, times] = process.argv.slice(2);
let left = Number(times);

runProcess(() =>
  createApp(readConsumerConfig(), {
    failpoint(handled) {
      if (handled === place && --left === 0) process.kill(process.pid, 'SIGKILL');
    },
  }),
);
