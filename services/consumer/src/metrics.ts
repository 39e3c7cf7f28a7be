import {
  Counter,
  createMetrics,
  Gauge,
  Histogram,
  keepFormerNames,
  type Registry,
} from '@millrace/runtime/operations/metrics.ts';
import type { Missed } from './definitions/project-definitions.ts';
import type { ExceptionCounts } from './exceptions/exception-parts.ts';

/** The figures of one stream at the moment of a scrape. */
export interface StreamFigures {
  lane: string;
  /** Seconds since the oldest event that was appended and not stored; 0 when there is none. */
  oldestUnreadSeconds: number;
  /** Records that are not yet stored. */
  lagRecords: number;
}

/** Every figure of the consumer, its kind and its unit. Durations in seconds. */
export interface ConsumerMetrics {
  registry: Registry;
  entries: Counter<'lane'>;
  rows: Counter<'lane'>;
  dropped: Counter<'lane' | 'reason'>;
  deadLetters: Counter<'lane'>;
  /** Events beyond the share of their project, by the lane that they left. */
  moved: Counter<'lane'>;
  /** Events that may have come before, longer ago than the duplicate memory reaches. */
  duplicateLookups: Counter<'lane'>;
  /** Exceptions by what became of them. */
  exceptions: Counter<'outcome'>;
  issues: Counter<'outcome'>;
  /** Symbol sets that were not read in time. */
  lateSymbolSets: Counter;
  /** Records that retention removed before they were read. */
  recordsGone: Counter<'lane'>;
  /** Times that a stream ended before what had been read of it. */
  logCuts: Counter<'lane'>;
  /** Bytes of the log that were damaged, as often as they were read. */
  logDamage: Counter<'lane'>;
  retries: Counter<'engine' | 'lane'>;
  statements: Counter<'statement'>;
  conflicts: Counter;
  missedNames: Counter<'reason'>;
  eventParts: Gauge;
  batchRows: Histogram<'lane'>;
  batchSeconds: Histogram<'lane'>;
  slotWaitSeconds: Histogram<'lane'>;
  insertSeconds: Histogram<'table' | 'lane'>;
}

/** @param figures called at every scrape. */
export function createConsumerMetrics(figures: () => Promise<readonly StreamFigures[]>): ConsumerMetrics {
  const registry = createMetrics('consumer');
  const registers = [registry];
  gaugeOfLanes(registry, figures);
  const metrics = {
    registry,
    entries: new Counter({
      name: 'millrace_consumer_entries_total',
      help: 'Entries read from the log',
      labelNames: ['lane'],
      registers,
    }),
    rows: new Counter({
      name: 'millrace_consumer_rows_total',
      help: 'Events and warnings stored',
      labelNames: ['lane'],
      registers,
    }),
    dropped: new Counter({
      name: 'millrace_consumer_dropped_total',
      help: 'Entries dropped on purpose',
      labelNames: ['lane', 'reason'],
      registers,
    }),
    duplicateLookups: new Counter({
      name: 'millrace_consumer_duplicate_lookups_total',
      help: 'Events that were looked up in ClickHouse as possible duplicates',
      labelNames: ['lane'],
      registers,
    }),
    moved: new Counter({
      name: 'millrace_consumer_moved_total',
      help: 'Events that went to the lane overflow because their project had used up its share of bytes',
      labelNames: ['lane'],
      registers,
    }),
    exceptions: new Counter({
      name: 'millrace_consumer_exceptions_total',
      help: 'Exceptions, by what became of them: completed, or suppressed by a rule of their project or with their issue',
      labelNames: ['outcome'],
      registers,
    }),
    issues: new Counter({
      name: 'millrace_consumer_issues_total',
      help: 'Issues that exceptions made, new, or made active again, regressed',
      labelNames: ['outcome'],
      registers,
    }),
    lateSymbolSets: new Counter({
      name: 'millrace_consumer_late_symbol_sets_total',
      help: 'Symbol sets that a batch of exceptions did without, because they were not read in time',
      registers,
    }),
    deadLetters: new Counter({
      name: 'millrace_consumer_dead_letters_total',
      help: 'Entries that could not be processed',
      labelNames: ['lane'],
      registers,
    }),
    recordsGone: new Counter({
      name: 'millrace_consumer_records_gone_total',
      help: 'Records that retention removed before they were read: lost',
      labelNames: ['lane'],
      registers,
    }),
    logCuts: new Counter({
      name: 'millrace_consumer_log_cuts_total',
      help: 'Streams that ended before what had been read of them: the log has lost events',
      labelNames: ['lane'],
      registers,
    }),
    logDamage: new Counter({
      name: 'millrace_consumer_log_damaged_bytes_total',
      help: 'Damaged bytes of the log that were passed over, as often as they were read: their events are lost',
      labelNames: ['lane'],
      registers,
    }),
    retries: new Counter({
      name: 'millrace_consumer_retries_total',
      help: 'Failed tries, by the engine that failed',
      labelNames: ['engine', 'lane'],
      registers,
    }),
    statements: new Counter({
      name: 'millrace_consumer_postgres_statements_total',
      help: 'Statements sent to Postgres, by what they are for',
      labelNames: ['statement'],
      registers,
    }),
    conflicts: new Counter({
      name: 'millrace_consumer_identity_conflicts_total',
      help: 'Batches whose persons changed under them and were looked up again',
      registers,
    }),
    missedNames: new Counter({
      name: 'millrace_consumer_missed_names_total',
      help: 'Names that are stored and were not learned, by reason: left_out and pairs (beyond a limit), put_off (too fast), skipped (events of too many shapes)',
      labelNames: ['reason'],
      registers,
    }),
    eventParts: new Gauge({
      name: 'millrace_consumer_event_parts',
      help: 'Active parts of the table of events in ClickHouse',
      registers,
      aggregator: 'max',
    }),
    batchRows: new Histogram({
      name: 'millrace_consumer_batch_rows',
      help: 'Rows of one batch',
      labelNames: ['lane'],
      buckets: [1, 10, 100, 1_000, 10_000, 50_000],
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'millrace_consumer_batch_seconds',
      help: 'From taking a batch to its rows being stored',
      labelNames: ['lane'],
      buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    }),
    slotWaitSeconds: new Histogram({
      name: 'millrace_consumer_slot_wait_seconds',
      help: 'How long a batch that was ready waited for a slot',
      labelNames: ['lane'],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    }),
    insertSeconds: new Histogram({
      name: 'millrace_consumer_insert_seconds',
      help: 'One insert into ClickHouse',
      labelNames: ['table', 'lane'],
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    }),
  };
  keepFormerNames(registry, {
    millrace_consumer_duplicate_lookups_total: 'millrace_consumer_asked_total',
    millrace_consumer_slot_wait_seconds: 'millrace_consumer_turn_wait_seconds',
  });
  return metrics;
}

/** Counts what was not learned of an event, by its reason. */
export function countMissed({ missedNames }: ConsumerMetrics, { leftOut, putOff, skipped, pairs }: Missed): void {
  missedNames.inc({ reason: 'left_out' }, leftOut);
  missedNames.inc({ reason: 'put_off' }, putOff);
  missedNames.inc({ reason: 'skipped' }, skipped);
  missedNames.inc({ reason: 'pairs' }, pairs);
}

/** Gauges by lane; a scrape reads the figures once. */
function gaugeOfLanes(registry: Registry, figures: () => Promise<readonly StreamFigures[]>): void {
  let current: Promise<readonly StreamFigures[]> | null = null;
  const readFigures = (): Promise<readonly StreamFigures[]> => (current ??= figures().finally(() => (current = null)));
  const gauge = (
    name: string,
    help: string,
    aggregator: 'sum' | 'max',
    of: (streams: readonly StreamFigures[]) => number,
  ): void => {
    new Gauge({
      name: `millrace_consumer_${name}`,
      help,
      labelNames: ['lane'],
      registers: [registry],
      aggregator,
      async collect() {
        const byLane = Map.groupBy(await readFigures(), ({ lane }) => lane);
        this.reset();
        for (const [lane, streams] of byLane) this.set({ lane }, of(streams));
      },
    });
  };
  gauge('oldest_unread_seconds', 'Age of the oldest event that is not stored', 'max', (streams) =>
    Math.max(...streams.map(({ oldestUnreadSeconds }) => oldestUnreadSeconds)),
  );
  gauge('lag_records', 'Records that are not stored', 'sum', (streams) =>
    streams.reduce((sum, { lagRecords }) => sum + lagRecords, 0),
  );
  gauge('streams', 'Streams of the log that are read', 'sum', (streams) => streams.length);
}

/** Counts a batch of exceptions. */
export function countExceptions(
  { exceptions, issues, lateSymbolSets }: ConsumerMetrics,
  { completed, suppressed, lateSets, newIssues, regressedIssues }: ExceptionCounts,
): void {
  exceptions.inc({ outcome: 'completed' }, completed);
  exceptions.inc({ outcome: 'suppressed' }, suppressed);
  issues.inc({ outcome: 'new' }, newIssues);
  issues.inc({ outcome: 'regressed' }, regressedIssues);
  lateSymbolSets.inc(lateSets);
}
