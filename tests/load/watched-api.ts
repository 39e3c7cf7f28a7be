// The management API in a process that says how long its event loop was held: from one order to the next.
import { createApp } from '@millrace/management-api/app';
import { configFromEnvironment } from '@millrace/management-api/config';
import { carryOutOrders } from './carry-out-orders.ts';
import type { LongestTurn, WatchOrder } from './large-result.ts';

let watching = false;
let longest: LongestTurn = { cpuMs: 0, wallMs: 0 };
const app = createApp(configFromEnvironment());

carryOutOrders(async (order: WatchOrder): Promise<LongestTurn> => {
  if (order.what === 'start') await app.start();
  watching = order.what === 'watch';
  if (!watching) return longest;
  longest = { cpuMs: 0, wallMs: 0 };
  watch(process.threadCpuUsage(), performance.now());
  return longest;
});

/** Never waits while it watches: each turn of the loop is measured, and other programs' time is told apart by the thread's CPU. */
function watch(cpuBefore: NodeJS.CpuUsage, wallBefore: number): void {
  const [cpu, wall] = [process.threadCpuUsage(), performance.now()];
  longest.cpuMs = Math.max(longest.cpuMs, (cpu.user + cpu.system - cpuBefore.user - cpuBefore.system) / 1000);
  longest.wallMs = Math.max(longest.wallMs, wall - wallBefore);
  if (watching) setImmediate(watch, cpu, wall);
}
