import type { IncomingMessage } from 'node:http';
import { RequestRefused } from './replies.ts';

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

export interface BodyReader {
  /**
   * Collects the body of a request. `bodyBytesMax` is its limit on the wire when it is not the usual one.
   * @throws {RequestRefused} 408 when it stalls, 413 when it is too long (after the rest was thrown away), 503 when memory is short.
   * @throws {ClientGone} when the connection broke.
   */
  read(request: IncomingMessage, bodyBytesMax?: number): Promise<Buffer>;
  /** Reads a body and keeps nothing of it, with the same limits. */
  discard(request: IncomingMessage, bodyBytesMax: number): Promise<void>;
  stop(): void;
}

/** Bytes of bodies in memory, shared with whoever holds them next. */
export interface BytesInFlight {
  bytesInFlight: number;
}

interface Reading {
  startedMs: number;
  lastMs: number;
  fail: (error: Error) => void;
}

/** One timer watches all readings: a timer for each request would cost more than the rest of the reading. */
export function createBodyReader(limits: ReadBodyLimits, held: BytesInFlight): BodyReader {
  const readings = new Set<Reading>();

  const watch = setInterval(() => {
    const now = performance.now();
    for (const reading of readings) {
      const stalled = now - reading.lastMs > limits.idleMsMax || now - reading.startedMs > limits.totalMsMax;
      if (stalled) reading.fail(new RequestRefused('stalled'));
    }
  }, Math.min(1000, Math.max(10, Math.floor(limits.idleMsMax / 4))));
  watch.unref();

  return {
    read: (request, bodyBytesMax = limits.bodyBytesMax) =>
      new Promise((resolve, reject) => collect(request, readings, bodyBytesMax, limits.bytesInFlightMax, held, resolve, reject)),
    discard: async (request, bodyBytesMax) => {
      await new Promise((resolve, reject) => collect(request, readings, bodyBytesMax, null, held, resolve, reject));
    },
    stop: () => clearInterval(watch),
  };
}

function collect(
  request: IncomingMessage,
  readings: Set<Reading>,
  bodyBytesMax: number,
  /** Null: nothing is kept. */
  bytesInFlightMax: number | null,
  held: BytesInFlight,
  resolve: (body: Buffer) => void,
  reject: (error: Error) => void,
): void {
  const startedMs = performance.now();
  let bytes = 0;
  let chunks: Buffer[] = [];
  let stored = 0;
  let over = false;

  const drop = (): void => {
    held.bytesInFlight -= stored;
    stored = 0;
    chunks = [];
  };
  const fail = (error: Error): void => {
    if (over) return;
    over = true;
    readings.delete(reading);
    drop();
    reject(error);
  };
  const reading: Reading = { startedMs, lastMs: startedMs, fail };
  readings.add(reading);

  request.on('data', (chunk: Buffer) => {
    if (over) return;
    bytes += chunk.length;
    reading.lastMs = performance.now();
    if (bytesInFlightMax === null && bytes <= bodyBytesMax) return;
    if (bytesInFlightMax !== null && bytes <= bodyBytesMax) {
      chunks.push(chunk);
      stored = bytes;
      held.bytesInFlight += chunk.length;
      if (held.bytesInFlight > bytesInFlightMax) fail(new RequestRefused('overloaded'));
    } else if (bytes <= 2 * bodyBytesMax) drop();
    else fail(new RequestRefused('bodyTooLarge'));
  });
  request.on('end', () => {
    if (bytes > bodyBytesMax) return fail(new RequestRefused('bodyTooLarge'));
    if (over) return;
    over = true;
    readings.delete(reading);
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    drop();
    resolve(body);
  });
  request.on('error', (error) => fail(new ClientGone('the client went away', { cause: error })));
  // Comes behind every request: an error is made only when it means one, for its stack is expensive.
  request.on('close', () => {
    if (!over) fail(new ClientGone('the client went away'));
  });
}
