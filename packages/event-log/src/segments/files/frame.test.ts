import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { frameHeaderBytes, parseFrames, writeFrame, type Frame } from './frame.ts';

interface Written {
  partition: number;
  timeMs: number;
  offset: number;
  payload: Buffer;
}

const written: fc.Arbitrary<Written> = fc.record({
  partition: fc.integer({ min: 0, max: 255 }),
  timeMs: fc.integer({ min: 0, max: 2 ** 42 }),
  offset: fc.integer({ min: 0, max: 2 ** 47 }),
  payload: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
});

function encode(frames: readonly Written[]): Buffer {
  const target = Buffer.alloc(frames.reduce((sum, { payload }) => sum + frameHeaderBytes + payload.length, 0));
  let at = 0;
  for (const frame of frames) at = writeFrame(target, at, frame);
  return target;
}

function parse(buffer: Buffer, final: boolean): { found: Written[]; end: number; damagedBytes: number } {
  const found: Written[] = [];
  const visit = ({ start, end, partition, timeMs, offset }: Frame): void => {
    found.push({ partition, timeMs, offset, payload: Buffer.from(buffer.subarray(start + frameHeaderBytes, end)) });
  };
  const { end, damagedBytes } = parseFrames(buffer, 0, buffer.length, final, visit);
  return { found, end, damagedBytes };
}

describe('frames', () => {
  test('what is written is read', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), (frames) => {
        expect(parse(encode(frames), true)).toEqual({ found: frames, end: encode(frames).length, damagedBytes: 0 });
      }),
    );
  });

  test('cut at any byte, all whole frames are read and nothing else', () => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 6 }), fc.nat(), (frames, cut) => {
        const buffer = encode(frames);
        const length = cut % buffer.length;
        const whole = frames.filter((_, index) => encode(frames.slice(0, index + 1)).length <= length);
        const { found, end } = parse(buffer.subarray(0, length), false);
        expect(found).toEqual(whole);
        expect(end).toBe(encode(whole).length);
        expect(parse(buffer.subarray(0, length), true).found).toEqual(whole);
      }),
    );
  });

  test('a damaged byte costs the frame it is in, never a neighbour', () => {
    fc.assert(
      fc.property(
        fc.array(written, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (frames, where, change) => {
          const buffer = encode(frames);
          const at = where % buffer.length;
          buffer.writeUInt8((buffer[at] ?? 0) ^ change, at);
          const hit = frames.findIndex((_, index) => encode(frames.slice(0, index + 1)).length > at);
          const { found, end, damagedBytes } = parse(buffer, true);
          expect(found).toEqual(frames.filter((_, index) => index !== hit));
          expect(end).toBe(buffer.length);
          expect(damagedBytes).toBe(frameHeaderBytes + (frames[hit]?.payload.length ?? 0));
        },
      ),
    );
  });

  test('a damaged length is noticed at once: nobody waits for gigabytes that never come', () => {
    const frames: Written[] = [1, 2].map((offset) => ({ partition: 0, timeMs: 0, offset, payload: Buffer.from('x') }));
    const buffer = encode(frames);
    buffer.writeUInt32LE(0xffff_ffff, 8);
    expect(parse(buffer, false)).toEqual({
      found: frames.slice(1),
      end: buffer.length,
      damagedBytes: buffer.length / 2,
    });
  });

  test.each([1, 2, 3])('behind damage a frame is found of which the buffer holds the first %i bytes only', (bytes) => {
    const damage = Buffer.alloc(40, 7);
    const frame = encode([{ partition: 0, timeMs: 0, offset: 1, payload: Buffer.alloc(0) }]);
    const { end, damagedBytes } = parse(Buffer.concat([damage, frame.subarray(0, bytes)]), false);
    expect(end).toBeLessThanOrEqual(damage.length);
    expect(damagedBytes).toBe(end);
    expect(parse(Buffer.concat([damage.subarray(end), frame]), true).found).toHaveLength(1);
  });

  test('zeros (a segment set ahead) are no frames', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 3 }), fc.integer({ min: 1, max: 100 }), (frames, zeros) => {
        expect(parse(Buffer.concat([encode(frames), Buffer.alloc(zeros)]), true).found).toEqual(frames);
      }),
    );
  });
});
