import { Counter, Gauge, keepFormerNames, type Registry } from '@millrace/runtime/operations/metrics.ts';

/** Figures of the squashing of person overrides. */
export interface SquashMetrics {
  overrides: Gauge;
  squashed: Counter;
  rewritten: Counter;
  failures: Counter;
}

export function createSquashMetrics(registry: Registry): SquashMetrics {
  const registers = [registry];
  const metrics = {
    overrides: new Gauge({
      name: 'millrace_consumer_person_overrides',
      help: 'Overrides that queries join, when last counted',
      registers,
    }),
    squashed: new Counter({
      name: 'millrace_consumer_overrides_squashed_total',
      help: 'Overrides squashed into events by this process',
      registers,
    }),
    rewritten: new Counter({
      name: 'millrace_consumer_events_rewritten_total',
      help: 'Events whose person was rewritten by this process',
      registers,
    }),
    failures: new Counter({
      name: 'millrace_consumer_squash_failures_total',
      help: 'Runs of the squashing that failed',
      registers,
    }),
  };
  keepFormerNames(registry, {
    millrace_consumer_overrides_squashed_total: 'millrace_consumer_overrides_folded_total',
    millrace_consumer_squash_failures_total: 'millrace_consumer_fold_failures_total',
  });
  return metrics;
}
