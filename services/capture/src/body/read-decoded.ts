import type { IncomingMessage } from 'node:http';
import type { CaptureFigures } from '../capture-figures.ts';
import { RequestRefused } from '../replies/replies.ts';
import type { BodyReader } from './read-body.ts';

export interface BodyDeps {
  reader: BodyReader;
  figures: CaptureFigures;
  /** Largest body after decompression. */
  inflatedBytesMax: number;
  /** Beyond this, over all requests, bodies are refused with 503 instead of filling the memory. */
  bytesInFlightMax: number;
}

/** The bytes of one body, as sent and as decoded, that count as in flight until they are released. */
export class HeldBytes {
  readonly #figures: CaptureFigures;
  #bytes = 0;

  constructor(figures: CaptureFigures) {
    this.#figures = figures;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#figures.bytesInFlight += bytes;
  }

  release(): void {
    this.#figures.bytesInFlight -= this.#bytes;
    this.#bytes = 0;
  }
}

/**
 * Reads the body of a request and decodes it. Its bytes are added to `held`, also when this throws.
 * @throws {RequestRefused} as `BodyReader.read` and `decode` do; 503 when too much is in flight.
 */
export function readDecoded(
  deps: BodyDeps,
  request: IncomingMessage,
  held: HeldBytes,
  wireBytesMax: number | undefined,
  decode: (wire: Buffer) => Buffer | Promise<Buffer>,
): Promise<Buffer> {
  const { figures } = deps;
  const admit = (decoded: Buffer): Buffer => {
    held.add(decoded.length);
    if (figures.bytesInFlight > deps.bytesInFlightMax) throw new RequestRefused('overloaded');
    return decoded;
  };
  return deps.reader.read(
    request,
    (wire) => {
      figures.bodyBytes += wire.length;
      held.add(wire.length);
      const decoded = decode(wire);
      if (decoded instanceof Promise) return decoded.then((bytes) => (bytes === wire ? wire : admit(bytes)));
      return decoded === wire ? wire : admit(decoded);
    },
    wireBytesMax,
  );
}
