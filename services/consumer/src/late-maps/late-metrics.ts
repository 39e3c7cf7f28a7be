import { Counter, Gauge, type Registry } from '@millrace/runtime/operations/metrics.ts';

/** Figures of the resolving anew of stored exceptions. */
export interface LateMetrics {
  waiting: Gauge;
  events: Counter;
  passes: Counter;
  failures: Counter;
}

export function createLateMetrics(registry: Registry): LateMetrics {
  const registers = [registry];
  return {
    waiting: new Gauge({
      name: 'millrace_consumer_late_maps',
      help: 'Symbol sets that came late and wait for their stored exceptions to be read, and projects whose are being read, when last counted',
      registers,
    }),
    events: new Counter({
      name: 'millrace_consumer_late_events_total',
      help: 'Stored exceptions that this process resolved anew',
      registers,
    }),
    passes: new Counter({
      name: 'millrace_consumer_late_map_passes_total',
      help: 'Passes over the stored exceptions of a project that this process ended',
      registers,
    }),
    failures: new Counter({
      name: 'millrace_consumer_late_map_failures_total',
      help: 'Turns of such passes that failed, and are tried again',
      registers,
    }),
  };
}
