import { constants, createGunzip, gunzip, gunzipSync } from 'node:zlib';
import { RequestRefused } from './replies.ts';

/** Up to here a body is decompressed on the spot: the way through the thread pool costs more (design: A3). */
const onTheSpotBytesMax = 65_536;
const onTheSpotInflatedMax = 1_048_576;

/** Length of the smallest gzip file: header and trailer. */
const gzipBytesMin = 18;

/**
 * The JSON bytes of a body (contract/capture 1.3). The gzip magic decides, never the hint: browsers send gzip without
 * any hint, and proxies that inflate leave the hint behind. So `Content-Encoding: gzip` and `compression=gzip-js` need no look.
 * @throws {RequestRefused} (also as a rejection) 400 for broken gzip, 413 when more than `inflatedBytesMax` come out.
 */
export function decodeBody(body: Buffer, inflatedBytesMax: number): Buffer | Promise<Buffer> {
  if (!isGzip(body)) return body;
  const promised = promisedLength(body);
  if (promised > inflatedBytesMax) return inflateSuspect(body, inflatedBytesMax);
  const onTheSpot = body.length <= onTheSpotBytesMax && promised <= onTheSpotInflatedMax;
  if (!onTheSpot) return inflate(body, inflatedBytesMax);
  const most = Math.min(onTheSpotInflatedMax, inflatedBytesMax);
  try {
    return gunzipSync(body, { maxOutputLength: most, chunkSize: Math.max(promised + 1, constants.Z_MIN_CHUNK) });
  } catch (error) {
    // The trailer may promise less than there is (several members, or a lie): then the slow way counts along.
    if (isOverflow(error) && most < inflatedBytesMax) return inflate(body, inflatedBytesMax);
    throw refusal(error);
  }
}

function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b && body[2] === 0x08;
}

/** The size that a gzip file says it has when inflated: its last four bytes. A hint: it is wrong when the file is cut short. */
function promisedLength(body: Buffer): number {
  return body.length < gzipBytesMin ? 0 : body.readUInt32LE(body.length - 4);
}

function inflate(body: Buffer, inflatedBytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength: inflatedBytesMax }, (error, inflated) => {
      if (error === null) resolve(inflated);
      else reject(refusal(error));
    });
  });
}

/** A bomb, or cut short, or a wrong trailer: finds out without keeping anything, so that a bomb takes no memory. */
async function inflateSuspect(body: Buffer, inflatedBytesMax: number): Promise<Buffer> {
  const stream = createGunzip();
  stream.end(body);
  let total = 0;
  try {
    for await (const chunk of stream) {
      total += (chunk as Buffer).length;
      if (total > inflatedBytesMax) throw new RequestRefused('inflatedTooLarge');
    }
  } catch (error) {
    throw error instanceof RequestRefused ? error : refusal(error);
  }
  return inflate(body, inflatedBytesMax);
}

function isOverflow(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function refusal(error: unknown): RequestRefused {
  return new RequestRefused(isOverflow(error) ? 'inflatedTooLarge' : 'unreadableGzip', error);
}
