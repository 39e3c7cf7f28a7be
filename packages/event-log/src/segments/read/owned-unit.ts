import type { Lane } from '@millrace/contracts/lanes.ts';
import type { AssignedStream } from '../../event-log.ts';
import type { LaneReader } from './lane-reader.ts';
import type { LogReader } from './log-reader.ts';
import { SegmentStream } from './stream.ts';
import type { UnitClaim } from '../coordination/unit-claim.ts';

type Handler = (stream: AssignedStream) => Promise<void>;

/** A partition of a lane while it is this subscriber's: runs the handler once for each writer's stream in it. */
export class OwnedUnit {
  readonly #logId: string;
  readonly #lane: Lane;
  readonly #partition: number;
  readonly #claim: UnitClaim;
  readonly #revocation = new AbortController();
  readonly #handlers = new Map<string, Promise<void>>();

  constructor(logId: string, lane: Lane, partition: number, claim: UnitClaim) {
    this.#logId = logId;
    this.#lane = lane;
    this.#partition = partition;
    this.#claim = claim;
  }

  get isRevoked(): boolean {
    return this.#revocation.signal.aborted;
  }

  isMine(): boolean {
    return this.#claim.isMine();
  }

  /** Starts the handler of a writer's stream, unless it was started before. `onError` gets its failure. */
  async start(
    writer: string,
    reader: LaneReader,
    log: LogReader,
    handler: Handler,
    onError: (error: unknown) => void,
  ): Promise<void> {
    if (this.isRevoked || this.#handlers.has(writer)) return;
    const committed = await this.#claim.committed(writer);
    const id = { lane: this.#lane, partition: this.#partition, writer };
    const stream = new SegmentStream(id, this.#logId, committed, this.#revocation.signal, this.#claim, log, reader);
    this.#handlers.set(writer, runHandler(handler, stream).catch(onError));
  }

  /** Stops the handlers, waits for them, gives the unit back. */
  async end(): Promise<void> {
    this.#revocation.abort();
    await Promise.all(this.#handlers.values());
    await this.#claim.release();
  }
}

async function runHandler(handler: Handler, stream: AssignedStream): Promise<void> {
  await handler(stream);
}
