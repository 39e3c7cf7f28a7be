import type { IncomingMessage } from 'node:http';
import type { ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { RequestError } from './request-error.ts';
import type { BodyReader, Decode } from './read-body.ts';
import type { CaptureCounters } from '../counters.ts';

export interface BodyDeps {
  reader: BodyReader;
  counters: CaptureCounters;
  /** Largest body after decompression. */
  inflatedBytesMax: number;
  /** Frees memory for one more body, if it can. */
  bodies: Pick<ArrivingBodies, 'freeMemory'>;
}

/** The bytes of one body, as sent and as decoded, that count as in flight until they are released. */
export class HeldBytes {
  readonly #counters: CaptureCounters;
  #bytes = 0;

  constructor(counters: CaptureCounters) {
    this.#counters = counters;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#counters.bytesInFlight += bytes;
  }

  release(): void {
    this.#counters.bytesInFlight -= this.#bytes;
    this.#bytes = 0;
  }
}

/**
 * Reads the body of a request and decodes it. Its bytes are added to `held`, also when this throws.
 * @throws {RequestError} as `BodyReader.read` and `decode` do; 503 when complete bodies leave no memory.
 */
export function readDecoded(
  deps: BodyDeps,
  request: IncomingMessage,
  held: HeldBytes,
  wireBytesMax: number | undefined,
  decode: Decode,
): Promise<Buffer> {
  const { counters } = deps;
  const admit = (decoded: Buffer): Buffer => {
    held.add(decoded.length);
    if (!deps.bodies.freeMemory()) throw new RequestError('overloaded');
    return decoded;
  };
  return deps.reader.read(
    request,
    (wire, sender) => {
      counters.bodyBytes += wire.length;
      held.add(wire.length);
      const decoded = decode(wire, sender);
      if (decoded instanceof Promise) return decoded.then((bytes) => (bytes === wire ? wire : admit(bytes)));
      return decoded === wire ? wire : admit(decoded);
    },
    wireBytesMax,
  );
}
