import type { Lane } from '@millrace/contracts/lanes.ts';

/** A record to append: one bundle of one partition (see `@millrace/captured-event/event-bundle.ts`). */
export interface AppendRecord {
  partition: number;
  payload: Buffer;
}

/**
 * Names a stream: the records of one partition of a lane, in order, and in the embedded log of one writer. Offsets begin at 0
 * and grow by one, with gaps where records were lost in a power failure or where Kafka needs offsets for itself. So a reader
 * goes by the offsets that it is given.
 */
export interface StreamId {
  lane: Lane;
  partition: number;
  /** The writer: the embedded log has one stream a writer and partition, Kafka one a partition (`''`). */
  writer: string;
}

export interface LogRecord {
  offset: bigint;
  /** Time of the append, in milliseconds since 1970. */
  appendedAtMs: number;
  payload: Buffer;
}

/** The position of a group in a stream: the next offset to read, and a short text of its own (at most 4,000 bytes). */
export interface Commit {
  offset: bigint;
  metadata: string;
}

/** Memory that payloads are read into. Whoever provides it decides how long they stay there. */
export interface PayloadMemory {
  /** A copy of the bytes. */
  keep(payload: Buffer): Buffer;
}

export interface ReadLimits {
  /** Bytes of payload at most, about. */
  maxBytes: number;
  /** Longest wait for a first record. */
  waitMs: number;
  /** Used where a payload has to be copied; without it, or where none has to be, payloads are left to the garbage collector. */
  memory?: PayloadMemory;
}

/** A stream that is this subscriber's until `revoked` aborts; it belongs to nobody else of the group meanwhile. */
export interface AssignedStream {
  id: StreamId;
  /**
   * Distinguishes this stream's records from all others: an offset together with its log epoch never names another
   * record, even when the log is created again or loses its end.
   */
  logEpoch: string;
  /** The last commit of the group, by any member; null when there is none. */
  committed: Commit | null;
  /** Aborts when the stream goes to another subscriber or the subscription closes: stop working on it. */
  revoked: AbortSignal;
  /**
   * Reads on: records in order from `from` (inclusive), at most about `maxBytes` of payload but at least one record.
   * Waits up to `waitMs` for the first one, then returns the records that are there, possibly none. From 0 means from
   * the oldest record that is kept: there a group begins that has never committed.
   * @throws {LogUnavailableError} when the log cannot be read now; the caller waits and calls again.
   * @throws {OffsetGoneError} when `from` was removed by retention.
   */
  read(from: bigint, limits: ReadLimits): Promise<LogRecord[]>;
  /**
   * Stores durably how far the group is. Resolves after it is on disk.
   * @throws {StreamRevokedError} when the stream is no longer this subscriber's: nothing was written.
   */
  commit(commit: Commit): Promise<void>;
  /** Offset after the newest readable record: `end - committed.offset` is the lag in records. */
  end(): Promise<bigint>;
}

export interface Subscription {
  /** Settles when the subscription has ended; rejects when it ended by an error that only a restart repairs. */
  ended: Promise<void>;
  /** Revokes all streams, waits for the handlers to return, gives the streams back. */
  close(): Promise<void>;
}

export interface SubscribeOptions {
  group: string;
  lanes: readonly Lane[];
  /** Called once for each stream that becomes this subscriber's; runs until `stream.revoked` aborts. */
  onStream: (stream: AssignedStream) => Promise<void>;
  /**
   * Called before a stream is assigned that ends before the offset that the group has read: the log has lost its end
   * (Kafka alone can, when a replica leads that lacked it). The stream begins again with the oldest record that is
   * kept, under another log epoch.
   */
  onCut?: (cut: LogCut) => void;
  /**
   * Called for bytes that are no records, because they were damaged on disk: reading continues after them. Bytes that
   * are read again are reported again. (The embedded log alone: in Kafka the disk is the broker's.)
   */
  onDamage?: (damage: LogDamage) => void;
}

/** A stream that ends before what was read of it. */
export interface LogCut {
  id: StreamId;
  /** The offset that the group had read; null: not known any more. */
  read: bigint | null;
  /** End of the stream now. */
  end: bigint;
}

/** Bytes of a lane of one writer that are no records any more. */
export interface LogDamage {
  lane: Lane;
  writer: string;
  bytes: number;
}

/**
 * The queue between capture and consumer. What holds for every implementation is in `contract-suite.ts`:
 * what was acknowledged survives kill -9 and power loss; records of one writer, lane and partition stay in order;
 * a reader sees each of them under one offset, for ever.
 */
export interface EventLog {
  /** Fixed for the life of the log. */
  readonly partitions: number;
  /**
   * Appends records, in the order given for each partition. Resolves only when all of them are on disk.
   * @throws {LogUnavailableError} when nothing was written (full, closed, no lease): safe to send again.
   * @throws {OutcomeUnknownError} when some may have been written: sending the same uuids again is harmless.
   */
  append(lane: Lane, records: readonly AppendRecord[]): Promise<void>;
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /** Why the log cannot take appends now, or null. For readiness. */
  unhealthyReason(): string | null;
  /** Finishes what is under way, gives leases back. */
  close(): Promise<void>;
}

/** The log took nothing and says why; the same append may work later. */
export class LogUnavailableError extends Error {
  override name = 'LogUnavailableError';
}

/** The log may or may not have taken it. */
export class OutcomeUnknownError extends Error {
  override name = 'OutcomeUnknownError';
}

/** The stream belongs to another subscriber by now. */
export class StreamRevokedError extends Error {
  override name = 'StreamRevokedError';
}

/** The requested offset was removed by retention. */
export class OffsetGoneError extends Error {
  override name = 'OffsetGoneError';
}
