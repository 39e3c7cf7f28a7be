import { Counter, Histogram, type Registry } from '@millrace/runtime/metrics.ts';

/** Every metric of this service beside the process' own. */
export function createApiMetrics(registry: Registry) {
  return {
    requestSeconds: new Histogram({
      name: 'millrace_api_request_seconds',
      help: 'Time from a request to the end of its reply, in seconds',
      labelNames: ['operation', 'method', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers: [registry],
    }),
    querySeconds: new Histogram({
      name: 'millrace_api_query_seconds',
      help: 'Time from a query of a user to the end of its answer, in seconds; of streams (kind) with the time that their readers took',
      labelNames: ['kind', 'outcome'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600],
      registers: [registry],
    }),
    queriesUncounted: new Counter({
      name: 'millrace_api_queries_uncounted_total',
      help: 'Queries and streams that this process counted alone, since Redis did not answer',
      registers: [registry],
    }),
    runRecordsLost: new Counter({
      name: 'millrace_api_run_records_lost_total',
      help: 'Runs of endpoints that stand in no log, since ClickHouse took their entries too late or not at all',
      registers: [registry],
    }),
  };
}

export type ApiMetrics = ReturnType<typeof createApiMetrics>;
