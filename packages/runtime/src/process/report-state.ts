import type { Health } from '../operations/health.ts';
import type { Part } from '../lifecycle.ts';
import { AggregatorRegistry, type Registry } from '../operations/metrics.ts';
import type { StateMessage } from './worker-states.ts';

const everyMs = 1_000;
/** Somebody waits for it to get ready. */
const untilReadyMs = 100;

/** In a worker: reports its health to the first process each second, and its metrics on request. */
export function reportState(health: Health, registry: Registry): Part {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const report = async (): Promise<void> => {
    const message: StateMessage = { worker: 'state', notReady: await health.notReady() };
    if (stopped) return;
    // The first process may be gone: then we are just being stopped.
    if (process.connected) process.send?.(message);
    timer = setTimeout(() => void report(), Object.keys(message.notReady).length === 0 ? everyMs : untilReadyMs);
  };
  return {
    name: 'operations',
    start() {
      AggregatorRegistry.setRegistries(registry);
      // It reports to the first process from now on.
      new AggregatorRegistry();
      void report();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
