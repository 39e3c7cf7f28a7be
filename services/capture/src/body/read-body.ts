import type { IncomingMessage } from 'node:http';
import { RequestRefused } from '../replies/replies.ts';

export interface ReadBodyLimits {
  /** On the wire. A longer body is read and thrown away up to twice this, so that the client hears the refusal (contract/capture 1.9). */
  bodyBytesMax: number;
  /** Longest wait for the next piece of a body. */
  idleMsMax: number;
  /** Longest time for a whole body. */
  totalMsMax: number;
  /** More bytes than this in memory, over all requests: 503 instead of filling the memory. */
  bytesInFlightMax: number;
}

/** The client went away before its body was complete: nobody is left to answer. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

type Decode = (wire: Buffer) => Buffer | Promise<Buffer>;

export interface BodyReader {
  /**
   * Collects the body of a request and answers with what `decode` makes of it, or rejects with what that throws: one promise for
   * both. `bodyBytesMax` is the limit on the wire when it is not the usual one.
   * @throws {RequestRefused} 408 when it stalls, 413 when it is too long (after the rest was thrown away), 503 when memory is short.
   * @throws {ClientGone} when the connection broke.
   */
  read(request: IncomingMessage, decode: Decode, bodyBytesMax?: number): Promise<Buffer>;
  /** Reads a body and keeps nothing of it, with the same limits. */
  discard(request: IncomingMessage, bodyBytesMax: number): Promise<void>;
  stop(): void;
}

/** The number of bytes of bodies in memory. The reader counts in it while it reads; who holds the body afterwards counts in the same. */
export interface BytesInFlight {
  bytesInFlight: number;
}

/** One timer watches all readings: a timer for each request would cost more than the rest of the reading. */
export function createBodyReader(limits: ReadBodyLimits, held: BytesInFlight): BodyReader {
  const open = new OpenReadings();
  const watch = setInterval(() => open.failStalled(limits), Math.min(1000, Math.max(10, Math.floor(limits.idleMsMax / 4))));
  watch.unref();

  return {
    read: (request, decode, bodyBytesMax = limits.bodyBytesMax) =>
      new Promise((resolve, reject) => new Reading({ request, decode, open, bodyBytesMax, bytesInFlightMax: limits.bytesInFlightMax, held, resolve, reject })),
    discard: async (request, bodyBytesMax) => {
      await new Promise((resolve, reject) => new Reading({ request, decode: unchanged, open, bodyBytesMax, bytesInFlightMax: null, held, resolve, reject }));
    },
    stop: () => clearInterval(watch),
  };
}

/**
 * The readings under way. Not a set: each time that a set has taken in and let go of some elements it moves to a new
 * table, and the old one keeps what it held and points to the new one. Once one of these has grown old, the young
 * collections of V8 keep all that come behind it, and every request that any of them held.
 */
class OpenReadings {
  readonly #all: Reading[] = [];

  add(reading: Reading): number {
    return this.#all.push(reading) - 1;
  }

  /** The last one takes its place. */
  remove(reading: Reading): void {
    const last = this.#all.pop();
    if (last === undefined || last === reading) return;
    this.#all[reading.place] = last;
    last.place = reading.place;
  }

  failStalled({ idleMsMax, totalMsMax }: ReadBodyLimits): void {
    const nowMs = performance.now();
    const stalled = this.#all.filter(({ startedMs, lastMs }) => nowMs - lastMs > idleMsMax || nowMs - startedMs > totalMsMax);
    for (const reading of stalled) reading.fail(new RequestRefused('stalled'));
  }
}

const unchanged: Decode = (wire) => wire;

interface ReadingOptions {
  request: IncomingMessage;
  decode: Decode;
  open: OpenReadings;
  bodyBytesMax: number;
  /** Null: nothing is kept. */
  bytesInFlightMax: number | null;
  held: BytesInFlight;
  resolve: (body: Buffer | Promise<Buffer>) => void;
  reject: (error: unknown) => void;
}

/** The body of one request, as far as it has come. */
class Reading {
  readonly startedMs = performance.now();
  lastMs = this.startedMs;
  /** Among the open readings. */
  place: number;
  readonly #options: ReadingOptions;
  #bytes = 0;
  #chunks: Buffer[] = [];
  #stored = 0;
  #over = false;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.place = options.open.add(this);
    const { request } = options;
    request.on('data', (chunk: Buffer) => this.#take(chunk));
    request.on('end', () => this.#finish());
    // Comes behind every request, and alone when the connection breaks: without a listener for it there is no error.
    request.on('close', () => {
      if (!this.#over) this.fail(new ClientGone('the client went away'));
    });
  }

  fail(error: Error): void {
    if (this.#over) return;
    this.#close();
    this.#options.reject(error);
  }

  #take(chunk: Buffer): void {
    if (this.#over) return;
    const { bodyBytesMax, bytesInFlightMax, held } = this.#options;
    this.#bytes += chunk.length;
    this.lastMs = performance.now();
    if (this.#bytes > 2 * bodyBytesMax) this.fail(new RequestRefused('bodyTooLarge'));
    else if (this.#bytes > bodyBytesMax) this.#drop();
    else if (bytesInFlightMax !== null) {
      this.#chunks.push(chunk);
      this.#stored = this.#bytes;
      held.bytesInFlight += chunk.length;
      if (held.bytesInFlight > bytesInFlightMax) this.fail(new RequestRefused('overloaded'));
    }
  }

  #finish(): void {
    if (this.#bytes > this.#options.bodyBytesMax) return this.fail(new RequestRefused('bodyTooLarge'));
    if (this.#over) return;
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    this.#close();
    try {
      this.#options.resolve(this.#options.decode(body));
    } catch (error) {
      this.#options.reject(error);
    }
  }

  #close(): void {
    this.#over = true;
    this.#options.open.remove(this);
    this.#drop();
  }

  #drop(): void {
    this.#options.held.bytesInFlight -= this.#stored;
    this.#stored = 0;
    this.#chunks = [];
  }
}
