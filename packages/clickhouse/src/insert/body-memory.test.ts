import { describe, expect, test } from '@jest/globals';
import { BodyMemory } from './body-memory.ts';

const mb = 1024 * 1024;

describe('memory that is used again', () => {
  test('what was given back serves the next that fits, and only one at a time', () => {
    const memory = new BodyMemory(64 * mb);
    const first = memory.take(9 * mb);
    const second = memory.take(9 * mb);
    expect(second).not.toBe(first);
    memory.giveBack(first);
    expect(memory.take(10 * mb)).toBe(first);
    expect(memory.take(10 * mb)).not.toBe(first);
  });

  test('the smallest that fits is taken, and never one that is too small', () => {
    const memory = new BodyMemory(64 * mb);
    const [small, large] = [memory.take(3 * mb), memory.take(20 * mb)];
    memory.giveBack(large);
    memory.giveBack(small);
    expect(memory.take(2 * mb)).toBe(small);
    expect(memory.take(30 * mb).length).toBeGreaterThanOrEqual(30 * mb);
    expect(memory.take(5 * mb)).toBe(large);
  });

  test('no more is kept than allowed: the large pieces stay, small ones and what is too large go', () => {
    const memory = new BodyMemory(32 * mb);
    for (const piece of [4, 8, 24, 100].map((size) => memory.take(size * mb))) memory.giveBack(piece);
    memory.giveBack(Buffer.alloc(1000));
    expect(memory.keptBytes).toBe(32 * mb);
  });
});
