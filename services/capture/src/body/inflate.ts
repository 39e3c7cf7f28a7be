import type { Transform } from 'node:stream';
import {
  brotliDecompressSync, constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress,
  gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync,
} from 'node:zlib';
import { RequestRefused } from '../replies/replies.ts';
import { withInflateSlot } from './inflate-slots.ts';
import { startsLikeJson } from './text-forms.ts';

/** Compressions that a body may arrive in; `deflate` is the zlib format, or bare deflate as some clients send it. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Bodies up to this size are decompressed at once, in the event loop: for them the thread pool costs more. */
const onTheSpotBytesMax = 65_536;
const onTheSpotInflatedMax = 1_048_576;
/** Beyond this size and this ratio a body is taken for a bomb: its rest is counted without being kept. */
const suspectBytes = 8_388_608;
const suspectRatio = 100;
const poolChunkBytes = 262_144;

/** Largest buffer that zlib writes into. Node cuts smaller ones out of a piece of 64 KiB, which stays in memory as long as any of them. */
const chunkBytesMax = 32_768;

/** Length of the smallest gzip file: header and trailer. */
const gzipBytesMin = 18;

interface Codec {
  sync: (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Buffer;
  stream: () => Transform;
}

const codecs: Record<Coding | 'rawDeflate', Codec> = {
  gzip: { sync: gunzipSync, stream: () => createGunzip({ chunkSize: poolChunkBytes }) },
  deflate: { sync: inflateSync, stream: () => createInflate({ chunkSize: poolChunkBytes }) },
  rawDeflate: { sync: inflateRawSync, stream: () => createInflateRaw({ chunkSize: poolChunkBytes }) },
  br: { sync: brotliDecompressSync, stream: () => createBrotliDecompress({ chunkSize: poolChunkBytes }) },
  zstd: { sync: zstdDecompressSync, stream: () => createZstdDecompress({ chunkSize: poolChunkBytes }) },
};

/** True for what begins with the magic bytes of gzip. */
export function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b && body[2] === 0x08;
}

/**
 * Decompresses a body: on the spot when it is small, else in the thread pool.
 * @throws {RequestRefused} (also as a rejection) 400 when it is broken, 413 when more than `inflatedBytesMax` come out
 * (then hardly anything of it was kept in memory), 503 when too many others are decompressed in the thread pool.
 */
export function inflate(body: Buffer, coding: Coding, inflatedBytesMax: number): Buffer | Promise<Buffer> {
  const codec = codecs[coding === 'deflate' && !isZlib(body) ? 'rawDeflate' : coding];
  // Gzip says at its end how much it holds (not when there are several members): then no chunk need be larger.
  const promised = coding === 'gzip' ? promisedLength(body) : 0;
  if (body.length > onTheSpotBytesMax || promised > onTheSpotInflatedMax) return withInflateSlot(() => inflateInPool(body, codec, inflatedBytesMax));
  const most = Math.min(onTheSpotInflatedMax, inflatedBytesMax);
  try {
    return codec.sync(body, { maxOutputLength: most, chunkSize: chunkBytes(body, promised) });
  } catch (error) {
    if (isOverflow(error) && most < inflatedBytesMax) return withInflateSlot(() => inflateInPool(body, codec, inflatedBytesMax));
    throw refusal(error);
  }
}

/**
 * As `inflate`, but what a proxy has inflated already is plain, whatever the header says. Tried in this order, for a
 * compressed body may begin like JSON by chance.
 * @throws {RequestRefused} as `inflate` does.
 */
export async function inflateOrPlain(body: Buffer, coding: Coding, inflatedBytesMax: number): Promise<Buffer> {
  try {
    return await inflate(body, coding, inflatedBytesMax);
  } catch (error) {
    const isPlain = error instanceof RequestRefused && error.refusal === 'unreadableCompression' && startsLikeJson(body);
    if (isPlain) return body;
    throw error;
  }
}

/** The two bytes that begin the zlib format: deflate with a window of up to 32 KiB, and a check. */
function isZlib(body: Buffer): boolean {
  return body.length >= 2 && ((body[0] as number) & 0x8f) === 8 && body.readUInt16BE(0) % 31 === 0;
}

/**
 * A promise may be a lie: chunks are never tiny, or a small body would cost thousands of them. Nor are they large: the last
 * chunk of each body stays in memory until the next full collection, and the sooner that comes (see PERFORMANCE.md).
 */
function chunkBytes(body: Buffer, promised: number): number {
  const wanted = promised > 0 ? Math.max(promised + 1, constants.Z_MIN_CHUNK, body.length) : Math.max(constants.Z_DEFAULT_CHUNK, body.length);
  return Math.min(wanted, chunkBytesMax);
}

function promisedLength(body: Buffer): number {
  return body.length < gzipBytesMin ? 0 : body.readUInt32LE(body.length - 4);
}

/** A body that turns out to be no bomb after all, only very repetitive, is inflated twice: once to count, once to keep. */
async function inflateInPool(body: Buffer, codec: Codec, inflatedBytesMax: number): Promise<Buffer> {
  return (await pump(body, codec, inflatedBytesMax, suspectBytes)) ?? (await pump(body, codec, inflatedBytesMax, Infinity)) ?? Buffer.alloc(0);
}

/** Null when it fits into the budget but was not kept, because beyond `keptMax` it looked like a bomb. */
async function pump(body: Buffer, codec: Codec, inflatedBytesMax: number, keptMax: number): Promise<Buffer | null> {
  const stream = codec.stream();
  let chunks: Buffer[] | null = [];
  let total = 0;
  try {
    stream.end(body);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > inflatedBytesMax) throw new RequestRefused('inflatedTooLarge');
      if (total > keptMax && total > suspectRatio * body.length) chunks = null;
      chunks?.push(chunk);
    }
  } catch (error) {
    throw error instanceof RequestRefused ? error : refusal(error);
  }
  return chunks === null ? null : Buffer.concat(chunks, total);
}

function isOverflow(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function refusal(error: unknown): RequestRefused {
  return new RequestRefused(isOverflow(error) ? 'inflatedTooLarge' : 'unreadableCompression', error);
}
