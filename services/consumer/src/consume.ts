import type { Lane } from '@millrace/contracts/lanes.ts';
import type { AssignedStream, EventLog, Subscription } from '@millrace/event-log/event-log.ts';
import { StreamRevokedError } from '@millrace/event-log/event-log.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { consumedLanes } from './stream/consumed-lanes.ts';
import { createRecentEvents, type RecentEvents } from './duplicates/recent-events.ts';
import { warmUp, type WarmUpContext, type WarmUpLimits } from './duplicates/warm-up.ts';
import type { ConsumerMetrics, StreamFigures } from './metrics.ts';
import type { BatchContext, BatchReport } from './stages/batch-context.ts';
import { processBatch } from './pipeline.ts';
import type { Outputs } from './rows/outputs.ts';
import type { BatchReader } from './stream/batch-reader.ts';
import { pastRetention } from './stream/past-retention.ts';
import { PayloadPool } from './stream/payload-arena.ts';
import type { PendingRange } from './stream/pending-range.ts';
import type { ReadAhead } from './stream/read-ahead.ts';
import { createRetry, slowMs, StreamStoppedError, type Retry } from './stream/retry.ts';
import { runStream } from './stream/run-stream.ts';
import { streamName } from './stream/stream-name.ts';
import type { LaneScheduler, WithoutSlot } from './stream/lane-scheduler.ts';
import type { EngineHealth } from './stream/engine-health.ts';
import type { Batch } from './stream/batch.ts';
import { BatchTooLargeError } from './stream/batch-too-large-error.ts';

/** The duplicate memory holds at least 700,000 events, and at most twice as many: 50 MB. */
const recentSlotsLog2 = 20;
/** Limits of what is read back into that memory from in front of a stream's commit. */
const warmUpLimits: WarmUpLimits = { events: 50_000, bytes: 32_000_000, ageMs: 600_000 };

/** Lanes that wait while ClickHouse has too many parts of events. */
const laterLanes: ReadonlySet<Lane> = new Set<Lane>(['overflow', 'historical']);

/** Memory of batches that is pooled for the next ones. */
const payloadBytesKept = 64 * 1024 * 1024;

export interface ConsumeContext {
  log: EventLog;
  group: string;
  readAhead: ReadAhead;
  scheduler: LaneScheduler;
  metrics: ConsumerMetrics;
  engineHealth: EngineHealth;
  logger: Logger;
  /** Called when the work is stuck for ever: only a restart of the process repairs it. */
  onStuck: (error: Error) => void;
  /** Aborts first at a stop: batches under way are finished, no other is begun. */
  stopping: AbortSignal;
  batch: Omit<BatchContext, 'recent' | 'retry' | 'progress' | 'trust' | 'logEpoch' | 'outputs' | 'writeBytesMax'>;
  /** Most bytes that one batch of the main lane writes. */
  writeBytesMax: number;
  outputsOf: (lane: Lane) => Outputs;
}

export interface Consuming {
  subscription: Subscription;
  figures(): Promise<StreamFigures[]>;
}

interface LiveStream {
  stream: AssignedStream;
  reader: BatchReader | null;
  /** Time at which the oldest record of the current batch was appended; null: no batch. */
  workingOnMs: number | null;
  /** Offset after the last stored record. */
  next: bigint;
}

/** Takes streams of the log and processes each until another process gets it or the consumer stops. */
export async function consume(context: ConsumeContext): Promise<Consuming> {
  const live = new Set<LiveStream>();
  const recent = createRecentEvents(recentSlotsLog2);
  const payloads = new PayloadPool(payloadBytesKept);
  const subscription = await context.log.subscribe({
    group: context.group,
    lanes: consumedLanes,
    onCut: ({ id, read, end }) => {
      context.metrics.logCuts.inc({ lane: id.lane });
      context.logger.error(
        { stream: streamName(id), read: read === null ? null : String(read), end: String(end) },
        'the log has lost its end: what is kept of the stream is read again; what was acknowledged and not copied to the new leader is lost',
      );
    },
    onDamage: ({ lane, writer, bytes }) => {
      context.metrics.logDamage.inc({ lane }, bytes);
      context.logger.error(
        { lane, writer, bytes },
        'records of the log are damaged: they are skipped, and their events are lost',
      );
    },
    onStream: async (stream) => {
      const entry: LiveStream = { stream, reader: null, workingOnMs: null, next: stream.committed?.offset ?? 0n };
      live.add(entry);
      const leave = context.readAhead.enter(stream.id.lane);
      try {
        await workThrough(entry, recent, payloads, context);
      } finally {
        leave();
        live.delete(entry);
      }
    },
  });
  return { subscription, figures: () => Promise.all([...live].map((entry) => figuresOf(entry, context))) };
}

async function workThrough(
  entry: LiveStream,
  recent: RecentEvents,
  payloads: PayloadPool,
  context: ConsumeContext,
): Promise<void> {
  const { metrics, engineHealth, logger, batch } = context;
  const { lane } = entry.stream.id;
  const name = streamName(entry.stream.id);
  const stream = pastRetention(entry.stream, ({ from, next }) => {
    metrics.recordsGone.inc({ lane }, Number(next - from));
    logger.error(
      { stream: name, from: String(from), next: String(next) },
      'records were removed by retention before they were read: their events are lost',
    );
  });
  const signal = AbortSignal.any([stream.revoked, context.stopping]);
  const retry = retryOf(name, lane, signal, context);
  const outputs = context.outputsOf(lane);
  const writeBytesMax = lane === 'main' ? context.writeBytesMax : context.writeBytesMax / 4;
  const batchContext: BatchContext = {
    ...batch,
    writeBytesMax,
    outputs,
    retry,
    recent,
    progress: new Map(),
    trust: { isProven: false },
    logEpoch: entry.stream.logEpoch,
  };
  try {
    if (lane !== 'warnings')
      await fillMemory(
        entry.stream,
        { name, recent, limits: warmUpLimits, projects: batch.projects, retry, signal },
        context,
      );
    await runStream(stream, {
      limits: context.readAhead.limitsOf(lane),
      schedule: (work) => waitForSlot(lane, work, context),
      clock: batch.clock,
      payloads,
      retry,
      signal,
      // Lanes of past events are those that make parts of many months, and they can wait.
      mayBegin: () => (laterLanes.has(lane) ? batch.parts.few(signal) : Promise.resolve()),
      process: (work: Batch) => processBatch(work, batchContext),
      onBegin: ([oldest]) => void (entry.workingOnMs = oldest?.appendedAtMs ?? null),
      onBatch: (report, range, startedMs) => {
        entry.next = range.last + 1n;
        entry.workingOnMs = null;
        record(report, range, batch.clock.nowMs() - startedMs, name, lane, context);
      },
      onReader: (reader) => void (entry.reader = reader),
      onStrangeMetadata: (error) =>
        logger.error({ stream: name, err: error }, 'the commit holds what this build does not know'),
      failpoint: batch.failpoint,
    });
  } catch (error) {
    if (!(error instanceof StreamRevokedError || error instanceof StreamStoppedError)) throw error;
    logger.info(
      { stream: name, reason: error.message },
      'stream left with a batch unfinished: its next owner does it again',
    );
  } finally {
    engineHealth.forget(name);
  }
}

/** Retries failures of a stream, and lets readiness, metrics and logs say what it waits for. */
function retryOf(
  name: string,
  lane: Lane,
  signal: AbortSignal,
  { metrics, engineHealth, logger, onStuck }: ConsumeContext,
): Retry {
  return createRetry({
    signal,
    onSlow: (engine) => {
      engineHealth.report(name, engine, new Error(`no response for ${slowMs / 1000} s`));
      logger.warn({ stream: name, engine }, 'engine does not respond: waiting');
    },
    onStuck: (engine) => onStuck(new Error(`${name}: ${engine} has neither answered nor failed for minutes`)),
    isFinal: (error) =>
      error instanceof StreamRevokedError || error instanceof StreamStoppedError || error instanceof BatchTooLargeError,
    onHealthChange: (engine, error) => {
      engineHealth.report(name, engine, error);
      if (error === null) return logger.info({ stream: name, engine }, 'engine works again');
      metrics.retries.inc({ engine, lane });
      logger.warn({ stream: name, engine, err: error }, 'engine unhealthy: retrying');
    },
  });
}

/** From the stream itself: what is gone cannot be read back and is no loss. */
async function fillMemory(
  stream: AssignedStream,
  warming: WarmUpContext,
  { logger, batch }: ConsumeContext,
): Promise<void> {
  const startedMs = batch.clock.nowMs();
  const events = await warmUp(stream, warming);
  logger.info(
    { stream: warming.name, events, durationMs: Math.round(batch.clock.nowMs() - startedMs) },
    'read back what came before',
  );
}

function waitForSlot<T>(
  lane: Lane,
  work: (withoutSlot: WithoutSlot) => Promise<T>,
  { scheduler, metrics }: ConsumeContext,
): Promise<T> {
  const waited = metrics.slotWaitSeconds.startTimer({ lane });
  return scheduler.run(lane, (withoutSlot) => {
    waited();
    return work(withoutSlot);
  });
}

/** Logs one wide line for each batch. */
function record(
  report: BatchReport,
  range: PendingRange,
  ms: number,
  stream: string,
  lane: string,
  { metrics, logger }: ConsumeContext,
): void {
  metrics.entries.inc({ lane }, report.entries);
  metrics.rows.inc({ lane }, report.rows);
  metrics.deadLetters.inc({ lane }, report.deadLetters);
  metrics.moved.inc({ lane }, report.moved);
  metrics.duplicateLookups.inc({ lane }, report.lookedUp);
  for (const [reason, count] of Object.entries(report.dropped)) metrics.dropped.inc({ lane, reason }, count);
  metrics.batchRows.observe({ lane }, report.rows);
  metrics.batchSeconds.observe({ lane }, ms / 1000);
  logger.info(
    { stream, first: String(range.first), last: String(range.last), durationMs: Math.round(ms), ...report },
    'batch',
  );
}

async function figuresOf(
  { stream, reader, next, workingOnMs }: LiveStream,
  { batch }: ConsumeContext,
): Promise<StreamFigures> {
  const oldest = workingOnMs ?? reader?.oldestAppendedAtMs() ?? null;
  return {
    lane: stream.id.lane,
    oldestUnreadSeconds: oldest === null ? 0 : Math.max(0, batch.clock.nowMs() - oldest) / 1000,
    lagRecords: Number((await stream.end()) - next),
  };
}
