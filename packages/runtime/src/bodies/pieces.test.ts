import { describe, expect, test } from '@jest/globals';
import { Pieces } from './pieces.ts';

describe('the pieces of a body', () => {
  test('whatever their sizes, they are joined to the bytes that came', () => {
    // Runs of small ones of every length about that at which they are joined, between large ones.
    const sizes = [0, 1, 255, 256, 257, 511, 512, 513, 700].flatMap((run) => [
      3_000,
      ...Array.from({ length: run }, (_, index) => (index * 7) % 1_024),
    ]);
    const sent = sizes.map((size, index) => Buffer.alloc(size, index));
    const pieces = new Pieces();
    for (const piece of sent) pieces.add(piece);
    expect(pieces.joined().equals(Buffer.concat(sent))).toBe(true);
  });

  test('a large body is joined in many turns of the event loop, into a buffer of its own', async () => {
    const sent = Array.from({ length: 64 }, (_, index) => Buffer.alloc(65_536, index));
    const pieces = new Pieces();
    for (const piece of sent) pieces.add(piece);
    let turns = 0;
    const count = (): void => void (immediate = setImmediate(() => (turns++, count())));
    let immediate: NodeJS.Immediate | undefined;
    count();
    const joined = await pieces.joinedInTurns();
    clearImmediate(immediate);
    expect(joined.equals(Buffer.concat(sent))).toBe(true);
    expect(joined.buffer.byteLength).toBe(joined.length);
    expect(turns).toBeGreaterThan(50);
  });

  test('a body that comes byte by byte is kept in few pieces', () => {
    const pieces = new Pieces();
    for (let at = 0; at < 100_000; at++) pieces.add(Buffer.from([at & 0xff]));
    expect(pieces.count).toBeLessThan(1_000);
  });

  test('nor do large pieces now and then keep the small ones apart', () => {
    const pieces = new Pieces();
    const [one, large] = [Buffer.from('a'), Buffer.alloc(1_024)];
    for (let at = 0; at < 100_000; at++) pieces.add(at % 256 === 255 ? large : one);
    expect(pieces.count).toBeLessThan(1_000);
  });

  test('a single piece is not copied', () => {
    const piece = Buffer.from('{}');
    const pieces = new Pieces();
    pieces.add(piece);
    expect(pieces.joined()).toBe(piece);
  });
});
