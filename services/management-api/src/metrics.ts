import type { ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { countEnded } from '@millrace/runtime/bodies/count-ended.ts';
import type { FinishedRequest } from '@millrace/http/mount.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { Counter, Gauge, Histogram, type Registry } from '@millrace/runtime/operations/metrics.ts';
import type { QueryEndings } from './queries/execute/query-endings.ts';
import type { ConcurrencyLimiter } from './queries/limits/concurrency-limiter.ts';
import type { Counted } from './queries/limits/shares.ts';

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
      help: 'Time from a query of a user to the end of its response, in seconds; of streams (kind) with the time that their readers took',
      labelNames: ['kind', 'outcome'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600],
      registers: [registry],
    }),
    queriesUncounted: new Counter({
      name: 'millrace_api_queries_uncounted_total',
      help: 'Queries and streams that this process counted alone, since Redis did not respond',
      registers: [registry],
    }),
    repliesCut: new Counter({
      name: 'millrace_api_replies_cut_total',
      help: 'Replies that were cut since their clients took them too slowly',
      registers: [registry],
    }),
    mailsHeldBack: new Counter({
      name: 'millrace_api_mails_held_back_total',
      help: 'Mails that were not sent, since their organization or their receiver was sent too many: invites and requests to sign were refused with 429, notices left out',
      labelNames: ['kind'] as const,
      registers: [registry],
    }),
    languageModelSeconds: new Histogram({
      name: 'millrace_api_language_model_seconds',
      help: 'Time of a call of the language model, in seconds, by outcome: ok, unusable (a reply in another form), unreachable, failed, aborted',
      labelNames: ['outcome'] as const,
      buckets: [0.5, 1, 2.5, 5, 10, 20, 30, 60, 90, 120, 300],
      registers: [registry],
    }),
    runRecordsLost: new Counter({
      name: 'millrace_api_run_records_lost_total',
      help: 'Runs of endpoints that are in no log, because ClickHouse took their entries too late or not at all',
      registers: [registry],
    }),
  };
}

export type ApiMetrics = ReturnType<typeof createApiMetrics>;

/**
 * Queries that were given up and that ClickHouse still runs: above 0 for long, something there cannot be stopped. And those that wait for
 * their turn.
 */
export function observeQueries(
  registry: Registry,
  { overdue }: Pick<QueryEndings, 'overdue'>,
  { queries, streams, tables }: Readonly<Record<Counted, Pick<ConcurrencyLimiter, 'waiting'>>>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'millrace_api_queries_overdue',
    help: 'Queries and streams that were given up by this process, and that ClickHouse still runs',
    registers,
    collect() {
      this.set(overdue().count);
    },
  });
  new Gauge({
    name: 'millrace_api_queries_overdue_oldest_seconds',
    help: 'Seconds since the oldest of them was given up',
    registers,
    collect() {
      this.set(overdue().oldestSeconds);
    },
  });
  new Gauge({
    name: 'millrace_api_queries_waiting',
    help: 'Queries, streams and reads of tables (kind) that wait for their turn, since as many run as may',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      this.set({ kind: 'run' }, queries.waiting());
      this.set({ kind: 'stream' }, streams.waiting());
      this.set({ kind: 'table' }, tables.waiting());
    },
  });
}

/** Bodies that were ended, and what is arriving. */
export function observeBodies(registry: Registry, bodies: Pick<ArrivingBodies, 'counts' | 'ended'>): void {
  const registers = [registry];
  countEnded(registry, 'millrace_api_bodies_ended_total', bodies);
  new Gauge({
    name: 'millrace_api_bytes_arriving',
    help: 'Bytes in memory of bodies that have begun and not ended',
    registers,
    collect() {
      this.set(bodies.counts().bytes);
    },
  });
}

/** Counts a request that has ended, and writes its line of the log. */
export function reportRequest(finished: FinishedRequest, log: Pick<Logger, 'info'>, metrics: ApiMetrics): void {
  const { operation, method, status, durationMs } = finished;
  metrics.requestSeconds.observe({ operation, method, status }, durationMs / 1000);
  log.info({ ...finished, durationMs: Math.round(durationMs * 10) / 10 }, 'request');
}
