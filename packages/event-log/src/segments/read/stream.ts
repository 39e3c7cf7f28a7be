import { performance } from 'node:perf_hooks';
import type { AssignedStream, Commit, LogRecord, ReadLimits, StreamId } from '../../event-log.ts';
import { LogUnavailableError, OffsetGoneError } from '../../event-log.ts';
import type { LaneReader } from './lane-reader.ts';
import type { LogReader } from './log-reader.ts';
import type { UnitClaim } from '../coordination/unit-claim.ts';

/** One writer's records of a partition, as its owner in a group sees them. */
export class SegmentStream implements AssignedStream {
  readonly id: StreamId;
  readonly logEpoch: string;
  readonly committed: Commit | null;
  readonly revoked: AbortSignal;
  readonly #claim: UnitClaim;
  readonly #log: LogReader;
  readonly #lane: LaneReader;

  constructor(
    id: StreamId,
    logEpoch: string,
    committed: Commit | null,
    revoked: AbortSignal,
    claim: UnitClaim,
    log: LogReader,
    lane: LaneReader,
  ) {
    this.id = id;
    this.logEpoch = logEpoch;
    this.committed = committed;
    this.revoked = revoked;
    this.#claim = claim;
    this.#log = log;
    this.#lane = lane;
  }

  async read(from: bigint, limits: ReadLimits): Promise<LogRecord[]> {
    const { partition } = this.id;
    const deadlineMs = performance.now() + limits.waitMs;
    try {
      for (;;) {
        this.#log.poll();
        const end = this.#lane.end(partition);
        const records = await this.#lane.read(partition, Number(from), limits.maxBytes, limits.memory);
        const leftMs = deadlineMs - performance.now();
        if (records.length > 0 || leftMs <= 0 || this.revoked.aborted) return records;
        if (this.#lane.end(partition) === end)
          await this.#log.wait(() => this.#lane.end(partition) > end, leftMs, this.revoked);
      }
    } catch (error) {
      if (error instanceof OffsetGoneError) throw error;
      throw new LogUnavailableError(`cannot read ${this.id.lane}/${partition}/${this.id.writer}`, { cause: error });
    }
  }

  commit(commit: Commit): Promise<void> {
    return this.#claim.commit(this.id.writer, commit);
  }

  end(): Promise<bigint> {
    this.#log.poll();
    return Promise.resolve(BigInt(this.#lane.end(this.id.partition)));
  }
}
