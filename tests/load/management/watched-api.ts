// The management API in a process that says how long its event loop was held, from one order to the next.
import { subscribe } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createApp } from '@millrace/management-api/app';
import { configFromEnvironment } from '@millrace/management-api/config';
import { carryOutOrders } from '../generator/carry-out-orders.ts';
import type { LongestTurn, WatchOrder } from './start-watched-api.ts';

type Turn = Pick<LongestTurn, 'cpuMs' | 'wallMs'>;

/** The shortest period that the monitor has. */
const timerMs = 1;

let requested = false;
let turning = false;
let longest: Turn = { cpuMs: 0, wallMs: 0 };
const delays = monitorEventLoopDelay({ resolution: timerMs });
const app = createApp(configFromEnvironment());

// While ClickHouse works there is nothing to see, and a loop that never sleeps would take the core from it.
subscribe('http.server.request.start', watch);
subscribe('http.client.request.start', () => (turning = false));
subscribe('http.client.response.finish', watch);

carryOutOrders(async ({ what }: WatchOrder): Promise<LongestTurn> => {
  if (what === 'start') await app.start();
  requested = what === 'watch';
  if (requested) longest = { cpuMs: 0, wallMs: 0 };
  else turning = false;
  if (what === 'delays') {
    delays.reset();
    delays.enable();
  } else delays.disable();
  return { ...longest, delayP99Ms: lateness(delays.percentile(99)), delayMaxMs: lateness(delays.max) };
});

/** The monitor counts from one call of its timer to the next, in nanoseconds. */
const lateness = (ns: number): number => Math.max(0, ns / 1_000_000 - timerMs);

function watch(): void {
  if (!requested || turning) return;
  turning = true;
  turn(timesNow());
}

/** Measures each turn of the loop, which does not wait meanwhile. */
function turn(before: Turn): void {
  const now = timesNow();
  longest = {
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - before.cpuMs),
    wallMs: Math.max(longest.wallMs, now.wallMs - before.wallMs),
  };
  if (turning) setImmediate(turn, now);
}

/** CPU of the event loop's thread, and time of the clock. */
function timesNow(): Turn {
  process.cpuUsage(); // with it the kernel brings the thread's own count up to now; else that is as old as its last tick, some milliseconds
  const { user, system } = process.threadCpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
}
