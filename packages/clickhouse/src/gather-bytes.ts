import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * So much is read, or copied together, in one turn of the event loop. An answer that waits in the socket whole would else be
 * read whole while everybody else waits.
 */
const bytesAtOnce = 262_144;

/**
 * All bytes of a stream in one piece, with others served meanwhile. `onTooMany` is called once there are more than
 * `bytesMax`; it is to end the stream.
 * @throws what the stream fails with
 */
export async function gatherBytes(stream: Readable, bytesMax: number, onTooMany: () => void): Promise<Buffer> {
  return await joined(await chunksOf(stream, bytesMax, onTooMany));
}

function chunksOf(stream: Readable, bytesMax: number, onTooMany: () => void): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let inThisTurn = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) return onTooMany();
      chunks.push(chunk);
      inThisTurn += chunk.length;
      if (inThisTurn < bytesAtOnce) return;
      inThisTurn = 0;
      stream.pause();
      setImmediate(() => stream.resume());
    });
    stream.on('error', reject);
    stream.on('end', () => resolve(chunks));
  });
}

/** In memory of exactly their size, since results are kept. */
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
