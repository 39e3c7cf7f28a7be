import type { Lane } from '@millrace/contracts/lanes.ts';
import type { Commit, LogRecord, StreamId } from './event-log.ts';

/** A stream as an onlooker sees it. */
export interface ViewedStream {
  id: StreamId;
  /** Oldest offset that retention has left. */
  begin: bigint;
  /** Offset after the newest record when the view was opened; later records are not read. */
  end: bigint;
  /**
   * Records in order from `from` (inclusive; below `begin`: from the oldest) and before `end`, about `maxBytes` of payload
   * but at least one; none: there are no more.
   * @throws {LogUnavailableError} when the log cannot be read now.
   */
  read(from: bigint, maxBytes: number): Promise<LogRecord[]>;
}

/**
 * A view of a log for operators. It changes nothing: it takes no lease, belongs to no group that others
 * or retention wait for, commits nothing and removes nothing.
 */
export interface LogView {
  readonly partitions: number;
  /**
   * All streams of these lanes, as of now.
   * @throws {LogUnavailableError} when the log cannot be read now.
   */
  streams(lanes: readonly Lane[]): Promise<ViewedStream[]>;
  /** A group's commit of a stream, or null. */
  committed(group: string, id: StreamId): Promise<Commit | null>;
  close(): Promise<void>;
}
