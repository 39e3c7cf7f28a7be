import type { IncomingMessage } from 'node:http';
import type { Arrival, BodyReading, Ending } from '@millrace/runtime/bodies/arrival.ts';
import type { ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { Pieces } from '@millrace/runtime/bodies/pieces.ts';
import type { ErrorReplyName } from './error-replies.ts';
import { RequestError } from './request-error.ts';

export interface ReadBodyOptions {
  /** On the wire. A longer body is read and thrown away up to twice this, so that the client reads the error (contract/capture 1.9). */
  bodyBytesMax: number;
  /** The sender to which a request counts when memory is short or bodies wait to be decompressed. */
  senderOf: (request: IncomingMessage) => string;
}

/** The client disconnected before its body was complete, so no reply can be sent. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** Decodes a body. `sender` is called only where senders have to take turns. */
export type Decode = (wire: Buffer, sender: () => string) => Buffer | Promise<Buffer>;

export interface BodyReader {
  /**
   * Collects the body of a request and resolves with the result of `decode`, or rejects with its error: one promise for
   * both. `bodyBytesMax` is the limit on the wire when it is not the usual one.
   * @throws {RequestError} 408 when it stalls or trickles, 413 when it is too long (after the rest was thrown away),
   * 503 when memory is short and it is the slowest.
   * @throws {ClientGone} when the connection broke.
   */
  read(request: IncomingMessage, decode: Decode, bodyBytesMax?: number): Promise<Buffer>;
  /** Reads and discards a body, with the same limits. */
  discard(request: IncomingMessage, bodyBytesMax: number): Promise<void>;
}

/** Reads bodies in the sight of `bodies`, which ends those that stall, and the slowest when memory is short. */
export function createBodyReader(
  bodies: ArrivingBodies,
  { bodyBytesMax: usualBytesMax, senderOf }: ReadBodyOptions,
): BodyReader {
  return {
    read: (request, decode, bodyBytesMax = usualBytesMax) =>
      new Promise(
        (resolve, reject) =>
          new Reading({ request, decode, bodies, bodyBytesMax, isKept: true, senderOf, resolve, reject }),
      ),
    discard: async (request, bodyBytesMax) => {
      await new Promise(
        (resolve, reject) =>
          new Reading({ request, decode: unchanged, bodies, bodyBytesMax, isKept: false, senderOf, resolve, reject }),
      );
    },
  };
}

const unchanged: Decode = (wire) => wire;

const errorOfEnding: Readonly<Record<Ending, ErrorReplyName>> = {
  idle: 'stalled',
  total: 'stalled',
  slow: 'tooSlow',
  share: 'slowestEnded',
  memory: 'slowestEnded',
};

interface ReadingOptions {
  request: IncomingMessage;
  decode: Decode;
  bodies: ArrivingBodies;
  bodyBytesMax: number;
  isKept: boolean;
  senderOf: (request: IncomingMessage) => string;
  resolve: (body: Buffer | Promise<Buffer>) => void;
  reject: (error: unknown) => void;
}

/** The body of one request, as far as it has come. */
class Reading implements BodyReading {
  readonly #options: ReadingOptions;
  readonly #arrival: Arrival;
  #pieces = new Pieces();
  #over = false;
  /** Set once it has been computed. */
  #sender: string | undefined;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#arrival = options.bodies.begin(this);
    const { request } = options;
    request.on('data', (chunk: Buffer) => this.#take(chunk));
    request.on('end', () => this.#finish());
    // Comes after every request, and alone when the connection breaks: without a listener for it there is no error.
    request.on('close', () => {
      if (!this.#over) this.#fail(new ClientGone('the client went away'));
    });
  }

  end(ending: Ending): void {
    this.#fail(new RequestError(errorOfEnding[ending]));
  }

  sender(): string {
    return (this.#sender ??= this.#options.senderOf(this.#options.request));
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#close();
    this.#options.reject(error);
  }

  #take(chunk: Buffer): void {
    if (this.#over) return;
    const { bodyBytesMax, bodies, isKept } = this.#options;
    const bytes = this.#arrival.bytes + chunk.length;
    const isWithin = bytes <= bodyBytesMax;
    if (isKept && isWithin) this.#pieces.add(chunk);
    bodies.take(this.#arrival, chunk.length, isKept && isWithin);
    if (isWithin || this.#over) return;
    if (bytes > 2 * bodyBytesMax) return this.#fail(new RequestError('bodyTooLarge'));
    this.#pieces = none;
    bodies.drop(this.#arrival);
  }

  #finish(): void {
    if (this.#arrival.bytes > this.#options.bodyBytesMax) return this.#fail(new RequestError('bodyTooLarge'));
    if (this.#over) return;
    const body = this.#pieces.joined();
    this.#close();
    try {
      this.#options.resolve(this.#options.decode(body, () => this.sender()));
    } catch (error) {
      this.#options.reject(error);
    }
  }

  #close(): void {
    this.#over = true;
    this.#options.bodies.done(this.#arrival);
    this.#pieces = none;
  }
}

/** In the place of what has been let go. */
const none = new Pieces();
