import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frameHeaderBytes, writeFrame } from '../files/frame.ts';
import { segmentPath } from '../files/layout.ts';
import { WindowCache } from './window-cache.ts';

const partitions = 3;
const sequence = 1;
const payloadBytes = 50_000;
const frameBytes = frameHeaderBytes + payloadBytes;
/** 30 MB: far more than the windows of a cache. */
const frames = 600;
const durable = frames * frameBytes;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-windows-'));
  const bytes = Buffer.alloc(durable);
  for (let index = 0; index < frames; index++) {
    writeFrame(bytes, index * frameBytes, {
      partition: index % partitions,
      timeMs: 5,
      offset: Math.floor(index / partitions),
      payload: Buffer.alloc(payloadBytes, index % 251),
    });
  }
  writeFileSync(segmentPath(folder, sequence), bytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Offsets of a partition from `from` on, at most `most` of them, and where to read on. Throws when a payload is not the record's. */
async function read(
  cache: WindowCache,
  partition: number,
  from = 0,
  most = Infinity,
): Promise<{ offsets: number[]; position: number }> {
  const offsets: number[] = [];
  let position = from;
  while (position < durable && offsets.length < most) {
    position = await cache.scan(sequence, position, durable, partition, ({ offset, payload }) => {
      if (offsets.length === most) return false;
      const index = offset * partitions + partition;
      if (payload.length !== payloadBytes || payload.some((byte) => byte !== index % 251))
        throw new Error(`record ${index} is another`);
      offsets.push(offset);
      return true;
    });
  }
  return { offsets, position };
}

const all = Array.from({ length: frames / partitions }, (_, offset) => offset);

describe('streams that read far apart', () => {
  test('each finds all of its records, once and in order, though others have been far ahead', async () => {
    const cache = new WindowCache(folder, partitions);
    expect((await read(cache, 0)).offsets).toEqual(all);
    expect((await read(cache, 1)).offsets).toEqual(all);
    let position = 0;
    const offsets: number[] = [];
    while (position < durable) {
      const some = await read(cache, 2, position, 7);
      offsets.push(...some.offsets);
      position = some.position;
    }
    expect(offsets).toEqual(all);
    cache.close();
  });

  test('at the same moment as well', async () => {
    const cache = new WindowCache(folder, partitions);
    const found = await Promise.all([read(cache, 0), read(cache, 1), read(cache, 2), read(cache, 1)]);
    expect(found.map(({ offsets }) => offsets)).toEqual([all, all, all, all]);
    cache.close();
  });

  test('a record that was damaged after a read skipped it costs that record only', async () => {
    const cache = new WindowCache(folder, partitions);
    await read(cache, 0);
    const damaged = 100 * partitions + 1;
    const fd = openSync(segmentPath(folder, sequence), 'r+');
    writeSync(fd, Buffer.from([255]), 0, 1, damaged * frameBytes + frameHeaderBytes + 10);
    expect((await read(cache, 1)).offsets).toEqual(all.filter((offset) => offset !== 100));
    expect(cache.damagedBytes).toBe(frameBytes);
    writeSync(fd, Buffer.from([damaged % 251]), 0, 1, damaged * frameBytes + frameHeaderBytes + 10);
    closeSync(fd);
    expect((await read(new WindowCache(folder, partitions), 1)).offsets).toEqual(all);
    cache.close();
  });
});
