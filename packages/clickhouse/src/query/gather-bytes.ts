import { setImmediate as nextTurn } from 'node:timers/promises';
import { ResponseTooLargeError } from '../response-errors.ts';
import type { GatherMemory } from './gather-memory.ts';
import type { Flow, Reading } from './query-response.ts';

/**
 * Bytes that are read, or copied together, in one turn of the event loop. A response that waits in the socket whole
 * would else be read whole while everybody else waits.
 */
const bytesAtOnce = 262_144;

/**
 * All bytes of a response in one piece, with others served meanwhile. `end` is called, to end the response, once it has
 * more than `bytesMax`, or is the largest of more than there is memory for.
 */
export function gatherBytes(
  flow: Flow,
  bytesMax: number,
  memory: GatherMemory,
  end: (error: Error) => void,
): Reading<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer[]>();
  const chunks: Buffer[] = [];
  const share = memory.enter((error) => {
    chunks.length = 0;
    end(error);
  });
  let size = 0;
  let inThisTurn = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > bytesMax) return end(new ResponseTooLargeError(bytesMax));
    chunks.push(chunk);
    share.take(chunk.length);
    inThisTurn += chunk.length;
    if (inThisTurn < bytesAtOnce) return;
    inThisTurn = 0;
    flow.pause();
    setImmediate(() => flow.resume());
  };
  return {
    bytes: { take, end: () => resolve(chunks), fail: reject },
    result: promise.then(joined).finally(() => share.leave()),
  };
}

/** In memory of exactly their size, because results are cached. */
async function joined(chunks: readonly Buffer[]): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let length = 0;
  let inThisTurn = 0;
  for (const chunk of chunks) {
    chunk.copy(bytes, length);
    length += chunk.length;
    inThisTurn += chunk.length;
    if (inThisTurn < bytesAtOnce) continue;
    inThisTurn = 0;
    await nextTurn();
  }
  return bytes;
}
