// The management API in a process that says how long its event loop was held, from one order to the next.
import { subscribe } from 'node:diagnostics_channel';
import { createApp } from '@millrace/management-api/app';
import { configFromEnvironment } from '@millrace/management-api/config';
import { carryOutOrders } from './carry-out-orders.ts';
import type { LongestTurn, WatchOrder } from './large-result.ts';

let asked = false;
let turning = false;
let longestMs = 0;
const app = createApp(configFromEnvironment());

// While ClickHouse works there is nothing to see, and a loop that never sleeps would take the core from it.
subscribe('http.server.request.start', watch);
subscribe('http.client.request.start', () => (turning = false));
subscribe('http.client.response.finish', watch);

carryOutOrders(async ({ what }: WatchOrder): Promise<LongestTurn> => {
  if (what === 'start') await app.start();
  asked = what === 'watch';
  if (asked) longestMs = 0;
  else turning = false;
  return { longestMs };
});

function watch(): void {
  if (!asked || turning) return;
  turning = true;
  turn(performance.now());
}

/** Measures each turn of the loop, which does not wait meanwhile. */
function turn(before: number): void {
  const now = performance.now();
  longestMs = Math.max(longestMs, now - before);
  if (turning) setImmediate(turn, now);
}
