import { Counter, Gauge, type Registry } from '@millrace/runtime/operations/metrics.ts';

/** Figures of the folding of person overrides. */
export interface FoldMetrics {
  overrides: Gauge;
  folded: Counter;
  rewritten: Counter;
  failures: Counter;
}

export function createFoldMetrics(registry: Registry): FoldMetrics {
  const registers = [registry];
  return {
    overrides: new Gauge({
      name: 'millrace_consumer_person_overrides',
      help: 'Overrides that queries join, when last counted',
      registers,
    }),
    folded: new Counter({
      name: 'millrace_consumer_overrides_folded_total',
      help: 'Overrides folded into events by this process',
      registers,
    }),
    rewritten: new Counter({
      name: 'millrace_consumer_events_rewritten_total',
      help: 'Events whose person was rewritten by this process',
      registers,
    }),
    failures: new Counter({
      name: 'millrace_consumer_fold_failures_total',
      help: 'Runs of the folding that failed',
      registers,
    }),
  };
}
