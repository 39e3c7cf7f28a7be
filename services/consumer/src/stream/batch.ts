import type { LogRecord, StreamId } from '@millrace/event-log/event-log.ts';
import type { Moves } from './moves.ts';
import type { WithoutSlot } from './lane-scheduler.ts';

/** A range of one stream: whole records, and the token of exactly these. */
export interface Batch {
  stream: StreamId;
  records: readonly LogRecord[];
  /** `<log epoch>:<lane>:<partition>:<writer>:<first>-<last>`. */
  token: string;
  /** The batch may have had effects before: a crash came between its beginning and its commit. */
  again: boolean;
  /** Its events that leave it, as decided when the batch was begun before; null: not decided. */
  moves: Moves | null;
  /**
   * Records durably which events go to `overflow`. Failures of the log are retried; `onTry` is called before each try.
   */
  recordMoves: (moves: Moves, onTry?: () => void) => Promise<void>;
  /** Waits for something slow without its slot, which other streams have meanwhile; then for another slot. */
  withoutSlot: WithoutSlot;
  /** Aborts when the stream must be left. */
  signal: AbortSignal;
}

/** Places at which a test may end the process. */
export type Failpoint = 'pending-committed' | 'events-moved' | 'persons-applied' | 'rows-inserted';
