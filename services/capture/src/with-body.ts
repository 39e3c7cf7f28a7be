import type { IncomingMessage } from 'node:http';
import type { CaptureFigures } from './capture-figures.ts';
import type { BodyReader } from './read-body.ts';
import { RequestRefused } from './replies.ts';

export interface BodyDeps {
  reader: BodyReader;
  figures: CaptureFigures;
  /** Largest body after decompression. */
  inflatedBytesMax: number;
  /** Beyond this, over all requests, bodies are refused with 503 instead of filling the memory. */
  bytesInFlightMax: number;
}

/**
 * Reads the body of a request, decodes it and hands it to `use`. Until `use` has finished, its bytes count as in flight,
 * as sent and as decoded.
 * @throws {RequestRefused} as `BodyReader.read` and `decode` do; 503 when too much is in flight.
 */
export async function withBody<T>(
  deps: BodyDeps,
  request: IncomingMessage,
  wireBytesMax: number | undefined,
  decode: (wire: Buffer) => Buffer | Promise<Buffer>,
  use: (decoded: Buffer) => Promise<T>,
): Promise<T> {
  const { figures } = deps;
  const wire = await deps.reader.read(request, wireBytesMax);
  figures.bodyBytes += wire.length;
  let held = wire.length;
  figures.bytesInFlight += held;
  try {
    const decoding = decode(wire);
    const decoded = decoding instanceof Promise ? await decoding : decoding;
    if (decoded !== wire) {
      figures.bytesInFlight += decoded.length;
      held += decoded.length;
      if (figures.bytesInFlight > deps.bytesInFlightMax) throw new RequestRefused('overloaded');
    }
    return await use(decoded);
  } finally {
    figures.bytesInFlight -= held;
  }
}
