import { describe, expect, test } from '@jest/globals';
import type { Flow } from './query-response.ts';
import { gatherBytes } from './gather-bytes.ts';
import { createGatherMemory } from './gather-memory.ts';

const chunksOf = (sizes: readonly number[]): Buffer[] => sizes.map((size, at) => Buffer.alloc(size, at + 1));

/**
 * Bytes that are gathered from a response whose chunks are all there, as from a socket: given one after the other until
 * held back.
 */
function gathered(
  chunks: readonly Buffer[],
  bytesMax: number,
  { endsWith, memoryMax = 1e9 }: { endsWith?: Error; memoryMax?: number } = {},
): Promise<Buffer> {
  const waiting = [...chunks];
  let isHeld = false;
  const flow: Flow = {
    pause: () => void (isHeld = true),
    resume: () => ((isHeld = false), give()),
    abort: (reason) => bytes.fail(reason),
  };
  const { bytes, result } = gatherBytes(flow, bytesMax, createGatherMemory(memoryMax), (error) => flow.abort(error));
  const give = (): void => {
    while (!isHeld) {
      const next = waiting.shift();
      if (next === undefined) return endsWith === undefined ? bytes.end() : bytes.fail(endsWith);
      bytes.take(next);
    }
  };
  give();
  return result;
}

describe('bytes of an answer', () => {
  test.each([[[]], [[5]], [[100, 70_000, 3]], [Array.from({ length: 30 }, () => 65_536)]])(
    'come in one piece and in order: %j',
    async (sizes) => {
      const expected = Buffer.concat(chunksOf(sizes));
      expect((await gathered(chunksOf(sizes), expected.length)).equals(expected)).toBe(true);
    },
  );

  test('that are few take no more memory than they need', async () => {
    expect((await gathered(chunksOf([500]), 1_000)).buffer.byteLength).toBe(500);
  });

  test('that are there at once are read in several turns of the event loop', async () => {
    let turns = 0;
    const turn = (): void => void (turns++, counting && setImmediate(turn));
    let counting = true;
    setImmediate(turn);
    await gathered(chunksOf(Array.from({ length: 40 }, () => 65_536)), 3_000_000);
    counting = false;
    expect(turns).toBeGreaterThanOrEqual(16);
  });

  test('that are too many are not gathered; an error of the response is thrown', async () => {
    await expect(gathered(chunksOf([600, 600]), 1_000)).rejects.toThrow('more than 1000 bytes');
    await expect(gathered(chunksOf([600]), 1_000, { endsWith: new Error('broken off') })).rejects.toThrow('broken off');
  });

  test('for which there is no memory are not gathered', async () => {
    await expect(gathered(chunksOf([600, 600]), 2_000, { memoryMax: 1_000 })).rejects.toThrow('bytes together');
  });
});
