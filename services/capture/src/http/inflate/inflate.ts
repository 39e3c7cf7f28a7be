import type { Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { RequestError } from '../request-error.ts';
import { limitInflating } from './inflate-limiter.ts';
import { createBudget } from './inflated-budget.ts';
import { startsLikeJson } from '../text-forms.ts';

/** Compressions that a body may arrive in; `deflate` is the zlib format, or bare deflate as some clients send it. */
export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Bounds of one body, and the sender whose turn it takes. */
export interface Allowance {
  /** Most bytes that may come out. */
  inflatedBytesMax: number;
  /** Called only when the body has to wait. */
  sender: () => string;
}

/** Bodies up to this size are decompressed at once, in the event loop: for them the thread pool costs more. */
export const onTheSpotBytesMax = 65_536;
export const onTheSpotInflatedMax = 1_048_576;
const poolChunkBytes = 262_144;
/** Chunks that are joined without a break. */
const chunksATurn = 16;

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
 * @throws {RequestError} (also as a rejection) 400 when it is broken, 413 when more than `inflatedBytesMax` come out or it
 * looks like a bomb (`inflated-budget.ts`), 503 when too many others are decompressed in the thread pool.
 */
export function inflate(body: Buffer, coding: Coding, allowance: Allowance): Buffer | Promise<Buffer> {
  const codec = codecs[coding === 'deflate' && !isZlib(body) ? 'rawDeflate' : coding];
  // Gzip says at its end how much it holds (not when there are several members): then no chunk need be larger.
  const promised = coding === 'gzip' ? promisedLength(body) : 0;
  const { inflatedBytesMax, sender } = allowance;
  const inPool = (): Promise<Buffer> => limitInflating(sender, () => inflateInPool(body, codec, inflatedBytesMax));
  if (body.length > onTheSpotBytesMax || promised > onTheSpotInflatedMax || (coding === 'br' && hasWideWindow(body)))
    return inPool();
  const most = Math.min(onTheSpotInflatedMax, inflatedBytesMax);
  try {
    return codec.sync(body, { maxOutputLength: most, chunkSize: chunkBytes(body, promised) });
  } catch (error) {
    if (isOverflow(error) && most < inflatedBytesMax) return inPool();
    throw requestError(error);
  }
}

/**
 * As `inflate`, but what a proxy has inflated already is plain, whatever the header says. Tried in this order, for a
 * compressed body may begin like JSON by chance.
 * @throws {RequestError} as `inflate` does.
 */
export async function inflateOrPlain(body: Buffer, coding: Coding, allowance: Allowance): Promise<Buffer> {
  try {
    return await inflate(body, coding, allowance);
  } catch (error) {
    const isPlain = error instanceof RequestError && error.reply === 'unreadableCompression' && startsLikeJson(body);
    if (isPlain) return body;
    throw error;
  }
}

/** The two bytes that begin the zlib format: deflate with a window of up to 32 KiB, and a check. */
function isZlib(body: Buffer): boolean {
  return body.length >= 2 && ((body[0] as number) & 0x8f) === 8 && body.readUInt16BE(0) % 31 === 0;
}

/**
 * Brotli fills its whole window before it gives anything out: 30 ms for one of 16 MiB, whatever the body holds. True for those
 * above 4 MiB, which compressors choose for no body that is small. The first four bits say it (RFC 7932, 9.1).
 */
function hasWideWindow(body: Buffer): boolean {
  const bits = (body[0] ?? 0) & 15;
  return bits === 0b1101 || bits === 0b1111;
}

/**
 * A promise may be a lie: chunks are never tiny, or a small body would cost thousands of them. Nor are they large: the last
 * chunk of each body stays in memory until the next full collection, and the sooner that comes (docs/performance.md#capture).
 */
function chunkBytes(body: Buffer, promised: number): number {
  const wanted =
    promised > 0
      ? Math.max(promised + 1, constants.Z_MIN_CHUNK, body.length)
      : Math.max(constants.Z_DEFAULT_CHUNK, body.length);
  return Math.min(wanted, chunkBytesMax);
}

function promisedLength(body: Buffer): number {
  return body.length < gzipBytesMin ? 0 : body.readUInt32LE(body.length - 4);
}

async function inflateInPool(body: Buffer, codec: Codec, inflatedBytesMax: number): Promise<Buffer> {
  const stream = codec.stream();
  const budget = createBudget(body.length, inflatedBytesMax);
  const chunks: Buffer[] = [];
  let total = 0;
  try {
    stream.end(body);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      total += chunk.length;
      if (!budget.allows(total, chunks)) throw new RequestError('inflatedTooLarge');
    }
  } catch (error) {
    throw error instanceof RequestError ? error : requestError(error);
  }
  return joined(chunks, total);
}

/** Memory that is touched for the first time costs 1 ms a megabyte: others are served in between. */
async function joined(chunks: readonly Buffer[], total: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(total);
  let at = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0 && index % chunksATurn === 0) await nextTurn();
    at += chunk.copy(whole, at);
  }
  return whole;
}

function isOverflow(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function requestError(error: unknown): RequestError {
  return new RequestError(isOverflow(error) ? 'inflatedTooLarge' : 'unreadableCompression', error);
}
