import type { Readable } from 'node:stream';

const bytesFirst = 65_536;
/**
 * So much is read in one turn of the event loop. An answer that waits in the socket whole would else be read whole, while
 * everybody else waits.
 */
const bytesAtOnce = 262_144;

/**
 * All bytes of a stream in one piece. They are copied together as they come: to join megabytes at the end holds up the
 * event loop. `onTooMany` is called once there are more than `bytesMax`; it is to end the stream.
 * @throws what the stream fails with
 */
export function gatherBytes(stream: Readable, bytesMax: number, onTooMany: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let length = 0;
    let inThisTurn = 0;

    function add(chunk: Buffer): void {
      if (length + chunk.length > bytes.length) bytes = withRoomFor(bytes, length, chunk.length);
      chunk.copy(bytes, length);
      length += chunk.length;
    }

    function yieldTurn(): void {
      inThisTurn = 0;
      stream.pause();
      setImmediate(() => stream.resume());
    }

    stream.on('data', (chunk: Buffer) => {
      if (length + chunk.length > bytesMax) return onTooMany();
      add(chunk);
      inThisTurn += chunk.length;
      if (inThisTurn >= bytesAtOnce) yieldTurn();
    });
    stream.on('error', reject);
    stream.on('end', () => resolve(bytes.subarray(0, length)));
  });
}

/** Small answers, as most are, take what they need; larger ones twice as much each time. */
function withRoomFor(bytes: Buffer, length: number, more: number): Buffer {
  const size = length === 0 ? more : Math.max(bytesFirst, length + more, 2 * bytes.length);
  const larger = Buffer.allocUnsafeSlow(size);
  bytes.copy(larger, 0, 0, length);
  return larger;
}
