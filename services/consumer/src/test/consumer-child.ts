import { runProcess } from '@millrace/runtime/process/run-process.ts';
import { createApp } from '../app.ts';
import type { ConsumerConfig } from '../config.ts';
import type { Failpoint } from '../stream/batch.ts';

/** How a test starts a consumer as a process of its own. */
export interface ChildOrder {
  config: ConsumerConfig;
  /** Die like by `kill -9` at this place; at its `times`-th passing. */
  dieAt?: { place: Failpoint; times: number };
}

const order = JSON.parse(process.argv[2] ?? '') as ChildOrder;
let handled = 0;

runProcess(() =>
  createApp(order.config, {
    failpoint(place) {
      if (place === order.dieAt?.place && ++handled === order.dieAt.times) process.kill(process.pid, 'SIGKILL');
    },
  }),
);
