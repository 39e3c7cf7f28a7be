import type { Lane } from '@millrace/contracts/lanes.ts';
import {
  LogUnavailableError,
  type AppendRecord,
  type EventLog,
  type SubscribeOptions,
  type Subscription,
} from '../event-log.ts';
import { messageOf } from './files/files.ts';
import { checkName } from './files/layout.ts';
import { LogReader } from './read/log-reader.ts';
import { openMeta, partitionsPreset } from './files/meta.ts';
import { sweep } from './write/retention.ts';
import { openSubscription, type SegmentSubscription } from './read/subscription.ts';
import { Writer } from './write/writer.ts';

export interface SegmentLogOptions {
  /** The log's folder; made when it is not there. */
  dir: string;
  /** Partitions of a new log; an existing one keeps its own. */
  partitions?: number;
  /** Name under which this process writes; only one process at a time can. Without it, it only reads. */
  writer?: string;
  /** Above this many bytes on disk (all writers together) appends are refused. */
  maxBytes?: number;
  /** A segment is finished when it has reached this size. */
  segmentBytes?: number;
  /** Shortest retention of records, even when every group has read them. */
  retentionMs?: number;
  /** Time for which a silent process keeps its leases, because it may be alive. */
  goneAfterMs?: number;
  /** Interval at which processes write their heartbeat and read those of others: a dead one's streams move within two intervals. */
  tickMs?: number;
  /** Interval of removing and counting segments. */
  sweepMs?: number;
}

const defaults = {
  partitions: partitionsPreset,
  maxBytes: 20 * 1024 ** 3,
  segmentBytes: 64 * 1024 ** 2,
  retentionMs: 24 * 3600 * 1000,
  goneAfterMs: 4000,
  tickMs: 500,
  sweepMs: 30_000,
};

/**
 * The event log in files of one machine. Each writer has one file a lane for all partitions, so that a synced write
 * (about 0.25 ms) carries whatever came during the last one; readers sort records by partition and go only as far as
 * the writer has published, which it does after its data is on disk. See `layout.ts` for the files.
 *
 * When the writer's lease is held by a living process the log opens nevertheless: `unhealthyReason` says so, appends fail
 * with `LogUnavailableError`, and the lease is taken as soon as it is free.
 * @throws {LogFormatError} when the folder holds a log of another format.
 */
export async function openSegmentLog(options: SegmentLogOptions): Promise<SegmentLog> {
  const settings = { ...defaults, ...options };
  if (settings.writer !== undefined) checkName('writer', settings.writer);
  const meta = await openMeta(settings.dir, settings.partitions);
  const { partitions } = meta;
  const writer =
    settings.writer === undefined ? null : new Writer({ ...settings, writer: settings.writer, partitions });
  const log = new SegmentLog({ ...settings, ...meta }, writer);
  await log.start();
  return log;
}

type Settings = typeof defaults & { dir: string; id: string };

export class SegmentLog implements EventLog {
  readonly partitions: number;
  readonly #settings: Settings;
  readonly #writer: Writer | null;
  readonly #reader: LogReader;
  readonly #subscriptions = new Set<SegmentSubscription>();
  /** On disk, of all writers, as of the last sweep plus what was appended here since. */
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #sweeping: Promise<void> = Promise.resolve();
  #sweepFailure: string | null = null;
  #closed = false;

  constructor(settings: Settings, writer: Writer | null) {
    this.partitions = settings.partitions;
    this.#settings = settings;
    this.#writer = writer;
    this.#reader = new LogReader(settings.dir, settings.partitions);
  }

  async start(): Promise<void> {
    // Long enough for a process that was just killed, or stopped moving, to be noticed.
    await this.#writer?.start(this.#settings.goneAfterMs + 1000);
    this.#startSweep();
    await this.#sweeping;
  }

  async append(lane: Lane, records: readonly AppendRecord[]): Promise<void> {
    if (this.#closed || !this.#writer)
      throw new LogUnavailableError(this.unhealthyReason() ?? 'the event log is closed');
    const bytes = records.reduce((sum, { payload }) => sum + payload.length, 0);
    if (this.#isFull(bytes)) throw new LogUnavailableError(this.#fullness());
    await this.#writer.append(lane, records);
    this.#bytes += bytes;
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    if (this.#closed) throw new LogUnavailableError('the event log is closed');
    const { dir, id: logId, goneAfterMs, tickMs } = this.#settings;
    const context = { dir, logId, partitions: this.partitions, reader: this.#reader, goneAfterMs, tickMs };
    const subscription = await openSubscription(context, options);
    this.#subscriptions.add(subscription);
    return subscription;
  }

  unhealthyReason(): string | null {
    if (this.#closed) return 'the event log is closed';
    if (!this.#writer) return 'this process only reads the event log';
    if (this.#isFull(0)) return this.#fullness();
    return this.#writer.unhealthyReason ?? this.#sweepFailure;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
    await this.#sweeping;
    await this.#writer?.close();
    await this.#reader.close();
  }

  #isFull(more: number): boolean {
    return this.#bytes + more > this.#settings.maxBytes;
  }

  #fullness(): string {
    return `the event log is full: ${this.#bytes} of ${this.#settings.maxBytes} bytes wait for their readers`;
  }

  #startSweep(): void {
    this.#sweeping = this.#sweep();
    this.#timer = setTimeout(
      () => void this.#sweeping.then(() => this.#closed || this.#startSweep()),
      this.#settings.sweepMs,
    );
    this.#timer.unref();
  }

  async #sweep(): Promise<void> {
    try {
      await this.#writer?.rollOlder(Date.now() - this.#settings.retentionMs);
      this.#bytes = (await sweep(this.#settings.dir, this.partitions, this.#settings.retentionMs)).bytes;
      this.#sweepFailure = null;
    } catch (error) {
      this.#sweepFailure = `cannot look after old segments: ${messageOf(error)}`;
    }
  }
}
