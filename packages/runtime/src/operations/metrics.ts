import { collectDefaultMetrics, Registry } from 'prom-client';

export { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A registry with the process' own metrics (CPU, memory, event loop), labelled with the service. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
