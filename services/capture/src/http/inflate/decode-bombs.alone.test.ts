import { brotliCompressSync, brotliDecompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { heldMemory } from '@millrace/runtime/testing/held-memory.ts';
import { lzOfOneLetter } from '../../test/lz-of-one-letter.ts';
import { decodeBody } from '../decode-body.ts';

// Bodies made to cost much: their refusal costs little CPU and memory (contract/capture 1.7).

interface Facts {
  contentEncoding?: string;
  rawQuery?: string;
}

const decode = async (body: Buffer | string, facts: Facts, inflatedBytesMax: number): Promise<string> =>
  String(
    await decodeBody(Buffer.from(body), { 'content-encoding': facts.contentEncoding }, facts.rawQuery ?? null, {
      inflatedBytesMax,
      sender: () => 'anybody',
    }),
  );

const base64 = (bytes: Buffer): string => bytes.toString('base64');
const brotliQuickly = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

// Each is refused before most of it was inflated, or goes through JSON alone: it is never taken for base64 or a form.
const widest = brotliCompressSync(Buffer.alloc(67_000_000, ' '), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
let wholeMs: number | undefined;
test.each<[string, Buffer, Facts]>([
  ['blanks in brotli', brotliQuickly(Buffer.alloc(67_000_000, ' ')), { contentEncoding: 'br' }],
  ['blanks in brotli with its widest window', widest, { contentEncoding: 'br' }],
  ['brackets in brotli', brotliQuickly(Buffer.alloc(67_000_000, '[')), { contentEncoding: 'br' }],
  ['base64 in brotli', brotliQuickly(Buffer.alloc(67_000_000, '+A')), { contentEncoding: 'br' }],
  ['brackets in zstd', zstdCompressSync(Buffer.alloc(67_000_000, '[')), { contentEncoding: 'zstd' }],
  ['blanks in gzip', gzipSync(Buffer.alloc(67_000_000, ' ')), {}],
  ['base64 in gzip', gzipSync(Buffer.alloc(67_000_000, '+A')), {}],
  ['a form in gzip', gzipSync(Buffer.alloc(67_000_000, 'data=&')), {}],
  ['gzip in base64', Buffer.from(base64(gzipSync(Buffer.alloc(67_000_000, ' ')))), {}],
])('a bomb just below the budget costs little CPU and is refused: %s', async (_name, body, facts) => {
  // zlib alone inflates the widest one to its end in some 210 ms; these take 15 to 75, and took 400 to 1,400 when each was inflated to its end.
  wholeMs ??= await leastCpuMs(() => Promise.resolve(brotliDecompressSync(widest)));
  const cost = await leastCpuMs(() =>
    expect(decode(body, facts, 67_108_864)).rejects.toMatchObject({ reply: 'inflatedTooLarge' }),
  );
  expect(cost).toBeLessThan(wholeMs);
});

test('a hundred bombs of lz-string at once take little more memory than one: the others wait, or get 503', async () => {
  const bomb = lzOfOneLetter(4_000);
  const before = heldMemory().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, heldMemory().arrayBuffers - before)), 20);
  const read = async () => (await decode(bomb, { rawQuery: 'compression=lz64' }, 67_108_864)).length;
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => read().catch((error: unknown) => (error as { reply: string }).reply)),
  );
  clearInterval(watch);
  expect(most).toBeLessThan(100_000_000);
  expect(outcomes).toContain(8_006_001);
  expect(outcomes.filter((outcome) => outcome !== 8_006_001 && outcome !== 'overloaded')).toEqual([]);
}, 60_000);

// CPU time, the least of three: quadratic work would cost 16 times as much for 4 times the bytes.
test.each<[string, (count: number) => Buffer]>([
  ['blanks', (count) => Buffer.alloc(count * 8, 0x20)],
  ['a form of fields without a name', (count) => Buffer.from(`_=1${'&'.repeat(count)}`)],
  ['a form of nothing but pluses', (count) => Buffer.from(`data=${'+'.repeat(count * 4)}`)],
  ['a form of as many names', (count) => Buffer.from(`data=1${'&data'.repeat(count)}`)],
])('what is gone through a byte at a time is gone through once: %s', async (_name, bodyOf) => {
  const [some, many] = [await decodeUs(bodyOf(250_000)), await decodeUs(bodyOf(1_000_000))];
  expect(many).toBeLessThan(Math.max(some, 20_000) * 9);
});

/** CPU time of the work, in ms: the least of three times. */
async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  for (let time = 0; time < 3; time++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1_000);
  }
  return Math.min(...costs);
}

/** CPU time of decoding a body, in µs. */
async function decodeUs(body: Buffer): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time++) {
    const before = process.cpuUsage();
    await decode(body, {}, 20_000_000);
    times.push(process.cpuUsage(before).user);
  }
  return Math.min(...times);
}
