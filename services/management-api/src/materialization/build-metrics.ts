import { Counter, Gauge, Histogram, type Registry } from '@millrace/runtime/operations/metrics.ts';
import type { QueryEndings } from '../queries/execute/query-endings.ts';
import type { ComparedBuild } from './builds.ts';

/** Metrics of the builds of this process. Returns what is called at the end of each. */
export function observeBuilds(
  registry: Registry,
  { overdue }: Pick<QueryEndings, 'overdue'>,
): (end: ComparedBuild) => void {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'millrace_api_build_seconds',
    help: 'Time of a build of a materialized version, in seconds, by outcome: completed, failed, void (changed meanwhile) or stopped',
    labelNames: ['outcome'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers,
  });
  const rows = new Counter({
    name: 'millrace_api_build_rows_total',
    help: 'Rows of the tables that builds of this process have made',
    registers,
  });
  const rowsRead = new Counter({
    name: 'millrace_api_build_rows_read_total',
    help: 'Rows that completed builds of this process have read, by kind: whole or buckets (those that changed)',
    labelNames: ['kind'] as const,
    registers,
  });
  const differing = new Counter({
    name: 'millrace_api_build_buckets_differing_total',
    help: 'Buckets in which a whole build differed from the table that was built by buckets before: any is an error of the product',
    registers,
  });
  new Gauge({
    name: 'millrace_api_builds_overdue',
    help: 'Builds that were given up by this process, and that ClickHouse still runs',
    registers,
    collect() {
      this.set(overdue().count);
    },
  });
  return (end) => {
    seconds.observe({ outcome: end.outcome }, end.seconds);
    rows.inc(end.rows);
    if (end.outcome === 'completed')
      rowsRead.inc({ kind: end.bucketsRebuilt === null ? 'whole' : 'buckets' }, end.rowsRead);
    differing.inc(end.bucketsDiffering);
  };
}
