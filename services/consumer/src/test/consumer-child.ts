import { runProcess } from '@millrace/runtime/process/run-process.ts';
import { createApp } from '../app.ts';
import type { ConsumerConfig } from '../config.ts';
import type { LateFailpoint } from '../late-maps/resolve-page.ts';
import type { Failpoint } from '../stream/batch.ts';

/** How a test starts a consumer as a process of its own. */
export interface ChildOrder {
  config: ConsumerConfig;
  /** Die like by `kill -9` at this place; at its `times`-th passing. */
  dieAt?: { place: Failpoint | LateFailpoint; times: number };
}

const order = JSON.parse(process.argv[2] ?? '') as ChildOrder;
let handled = 0;

function failpoint(place: Failpoint | LateFailpoint): void {
  if (place === order.dieAt?.place && ++handled === order.dieAt.times) process.kill(process.pid, 'SIGKILL');
}

// Pages of few exceptions, so that a test sends few.
runProcess(() => createApp(order.config, { failpoint, lateMaps: { checkEveryMs: 100, pageMax: 5, failpoint } }));
