import type { AssignedStream, EventLog, Subscription } from '@millrace/event-log/event-log.ts';
import { StreamRevokedError } from '@millrace/event-log/event-log.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import { createRecentEvents } from './duplicates/recent-events.ts';
import type { ConsumerMetrics, StreamFigures } from './metrics.ts';
import { processBatch, type Batch, type BatchContext, type BatchReport } from './process-batch.ts';
import { processWarnings } from './process-warnings.ts';
import type { BatchLimits, BatchReader } from './stream/batch-reader.ts';
import type { PendingRange } from './stream/pending-range.ts';
import { createRetry, StreamStoppedError } from './stream/retry.ts';
import { runStream } from './stream/run-stream.ts';
import type { Turns } from './stream/turns.ts';
import type { Troubles } from './troubles.ts';

/** Everything that is read; the lane `dead-letter` waits for people. */
const consumedLanes = ['main', 'overflow', 'historical', 'exceptions', 'warnings'] as const;

/** Events of one stream that are remembered against duplicates, at least. */
const recentEventsMin = 50_000;
/** Longer than any client keeps trying one request. */
const askStoredMs = 120_000;

export interface ConsumeContext {
  log: EventLog;
  group: string;
  limits: BatchLimits;
  turns: Turns;
  metrics: ConsumerMetrics;
  troubles: Troubles;
  logger: Logger;
  /** Aborts first at a stop: batches under way are finished, no other is begun. */
  stopping: AbortSignal;
  batch: Omit<BatchContext, 'recent' | 'retry' | 'progress' | 'logId'>;
}

export interface Consuming {
  subscription: Subscription;
  figures(): Promise<StreamFigures[]>;
}

interface LiveStream {
  stream: AssignedStream;
  reader: BatchReader | null;
  /** The record behind the last one that is stored. */
  next: bigint;
}

/** Takes streams of the log and works through each until it goes to somebody else or the consumer stops. */
export async function consume(context: ConsumeContext): Promise<Consuming> {
  const live = new Set<LiveStream>();
  const subscription = await context.log.subscribe({
    group: context.group,
    lanes: consumedLanes,
    onStream: async (stream) => {
      const entry: LiveStream = { stream, reader: null, next: stream.committed?.offset ?? 0n };
      live.add(entry);
      try {
        await workThrough(entry, context);
      } finally {
        live.delete(entry);
      }
    },
  });
  return { subscription, figures: () => Promise.all([...live].map((entry) => figuresOf(entry, context))) };
}

async function workThrough(entry: LiveStream, context: ConsumeContext): Promise<void> {
  const { stream } = entry;
  const { metrics, troubles, logger, batch } = context;
  const name = `${stream.id.lane}:${stream.id.partition}:${stream.id.writer}`;
  const signal = AbortSignal.any([stream.revoked, context.stopping]);
  const retry = createRetry({
    signal,
    isFinal: (error) => error instanceof StreamRevokedError || error instanceof StreamStoppedError,
    onTrouble: (engine, error) => {
      troubles.note(name, engine, error);
      if (error === null) return logger.info({ stream: name, engine }, 'engine works again');
      metrics.retries.inc({ engine });
      logger.warn({ stream: name, engine, err: error }, 'engine in trouble: trying again');
    },
  });
  const batchContext: BatchContext = { ...batch, retry, recent: createRecentEvents(recentEventsMin), progress: new Map(), logId: context.log.id };
  const process = stream.id.lane === 'warnings' ? processWarnings : processBatch;
  try {
    await runStream(stream, {
      ...context,
      logId: context.log.id,
      clock: batch.clock,
      retry,
      signal,
      askStoredMs,
      process: (work: Batch) => process(work, batchContext),
      onBatch: (report, range, startedMs) => {
        entry.next = range.last + 1n;
        record(report, range, batch.clock.nowMs() - startedMs, name, stream.id.lane, context);
      },
      onReader: (reader) => void (entry.reader = reader),
      onStrangeMetadata: (error) => logger.error({ stream: name, err: error }, 'the commit holds what this build does not know'),
      failpoint: batch.failpoint,
    });
  } catch (error) {
    if (!(error instanceof StreamRevokedError || error instanceof StreamStoppedError)) throw error;
    logger.info({ stream: name, reason: error.message }, 'stream left with a batch unfinished: its next owner does it again');
  } finally {
    troubles.forget(name);
  }
}

/** One wide line a batch. */
function record(report: BatchReport, range: PendingRange, ms: number, stream: string, lane: string, { metrics, logger }: ConsumeContext): void {
  metrics.entries.inc({ lane }, report.entries);
  metrics.rows.inc({ lane }, report.rows);
  metrics.deadLetters.inc({ lane }, report.deadLetters);
  for (const [reason, count] of Object.entries(report.dropped)) metrics.dropped.inc({ lane, reason }, count);
  metrics.batchRows.observe({ lane }, report.rows);
  metrics.batchSeconds.observe({ lane }, ms / 1000);
  logger.info({ stream, first: String(range.first), last: String(range.last), durationMs: Math.round(ms), ...report }, 'batch');
}

async function figuresOf({ stream, reader, next }: LiveStream, { batch }: ConsumeContext): Promise<StreamFigures> {
  const oldest = reader?.oldestAppendedAtMs() ?? null;
  return {
    lane: stream.id.lane,
    oldestUnreadSeconds: oldest === null ? 0 : Math.max(0, batch.clock.nowMs() - oldest) / 1000,
    lagRecords: Number((await stream.end()) - next),
  };
}
