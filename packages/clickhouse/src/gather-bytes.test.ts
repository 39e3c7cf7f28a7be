import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { gatherBytes } from './gather-bytes.ts';

const streamOf = (sizes: readonly number[]): Readable => Readable.from(sizes.map((size, at) => Buffer.alloc(size, at + 1)), { objectMode: false });
const tooMany = (): never => {
  throw new Error('too many bytes');
};

describe('bytes of a stream', () => {
  test.each([[[]], [[5]], [[100, 70_000, 3]], [Array.from({ length: 30 }, () => 65_536)]])('come in one piece and in order: %j', async (sizes) => {
    const expected = Buffer.concat(sizes.map((size, at) => Buffer.alloc(size, at + 1)));
    expect((await gatherBytes(streamOf(sizes), expected.length, tooMany)).equals(expected)).toBe(true);
  });

  test('of a small answer take no more memory than they need', async () => {
    expect((await gatherBytes(streamOf([500]), 1_000, tooMany)).buffer.byteLength).toBe(500);
  });

  test('that are there at once are read in several turns of the event loop', async () => {
    let turns = 0;
    const turn = (): void => void (turns++, counting && setImmediate(turn));
    let counting = true;
    setImmediate(turn);
    await gatherBytes(streamOf(Array.from({ length: 40 }, () => 65_536)), 3_000_000, tooMany);
    counting = false;
    expect(turns).toBeGreaterThanOrEqual(16);
  });

  test('that are too many are not gathered; that the stream fails is told', async () => {
    const stream = streamOf([600, 600]);
    await expect(gatherBytes(stream, 1_000, () => void stream.destroy(new Error('too many')))).rejects.toThrow('too many');
  });
});
