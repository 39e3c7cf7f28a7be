import type { Health } from '@millrace/runtime/health.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import { AggregatorRegistry, type Registry } from '@millrace/runtime/metrics.ts';
import type { StateMessage } from './worker-states.ts';

const everyMs = 1_000;

/** In a worker: tells the first process each second how it is, and its metrics when it is asked. */
export function reportState(health: Health, registry: Registry): Part {
  let timer: NodeJS.Timeout | undefined;
  const report = async (): Promise<void> => {
    const message: StateMessage = { consumer: 'state', notReady: await health.notReady() };
    // The first process may be gone: then we are just being stopped.
    if (process.connected) process.send?.(message);
  };
  return {
    name: 'operations',
    start() {
      AggregatorRegistry.setRegistries(registry);
      // It answers the first process from now on.
      new AggregatorRegistry();
      timer = setInterval(() => void report(), everyMs);
    },
    stop: () => clearInterval(timer),
  };
}
