import { describe, expect, test } from '@jest/globals';
import { PayloadPool } from './payload-arena.ts';

const bytes = (value: number, length = 100): Buffer => Buffer.alloc(length, value);
const mib = 1024 * 1024;

describe('PayloadArena', () => {
  test('keeps copies: what they were copied from may change', () => {
    const arena = new PayloadPool(mib).open();
    const source = bytes(1);
    const kept = [
      arena.keep(source),
      arena.keep(bytes(2, 700_000)),
      arena.keep(bytes(3, 700_000)),
      arena.keep(bytes(4, 3 * mib)),
    ];
    source.fill(9);
    expect(kept.map((payload) => [payload.length, new Set(payload)])).toEqual([
      [100, new Set([1])],
      [700_000, new Set([2])],
      [700_000, new Set([3])],
      [3 * mib, new Set([4])],
    ]);
  });

  test('a payload of no bytes is kept like any other, as the first and behind a full chunk', () => {
    const arena = new PayloadPool(mib).open();
    expect(
      [arena.keep(bytes(1, 0)), arena.keep(bytes(1, mib)), arena.keep(bytes(1, 0))].map(({ length }) => length),
    ).toEqual([0, mib, 0]);
  });

  test.each([-1, 0, 1, 5])('a payload that fills what is left of a chunk, with %i bytes beyond, is whole', (beyond) => {
    const arena = new PayloadPool(mib).open();
    const before = arena.keep(bytes(1, mib - 10));
    expect(arena.keep(bytes(2, 10 + beyond))).toEqual(bytes(2, 10 + beyond));
    // Not toEqual: it takes 5 s for so many bytes.
    expect(before.equals(bytes(1, mib - 10))).toBe(true);
  });

  test('its memory serves another only when its last user has left', () => {
    const pool = new PayloadPool(4 * mib);
    const first = pool.open();
    const kept = first.keep(bytes(1));
    first.use();
    first.leave();
    expect(pool.open().keep(bytes(2)).buffer).not.toBe(kept.buffer);
    expect(kept).toEqual(bytes(1));
    first.leave();
    expect(pool.open().keep(bytes(3)).buffer).toBe(kept.buffer);
  });

  test('payloads of a try that failed take no room', () => {
    const pool = new PayloadPool(4 * mib);
    const arena = pool.open();
    const before = arena.keep(bytes(1));
    const { mark } = arena;
    const failed = [arena.keep(bytes(2)), arena.keep(bytes(2, mib))];
    arena.rewind(mark);
    expect(arena.keep(bytes(3)).byteOffset).toBe(failed[0]?.byteOffset);
    expect(pool.open().keep(bytes(4)).buffer).toBe(failed[1]?.buffer);
    expect(before).toEqual(bytes(1));
  });

  test('of what nobody uses no more is kept than the pool may', () => {
    const pool = new PayloadPool(2 * mib);
    const arena = pool.open();
    const used = new Set(Array.from({ length: 5 }, () => arena.keep(bytes(1, mib)).buffer));
    arena.leave();
    const next = pool.open();
    const again = Array.from({ length: 5 }, () => next.keep(bytes(1, mib)).buffer).filter((buffer) => used.has(buffer));
    expect(again).toHaveLength(2);
  });
});
