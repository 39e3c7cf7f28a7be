import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AppError } from '../errors/errors.ts';

const inflaters = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/**
 * A body as it was before its `Content-Encoding`, at most `bytesMax` bytes of it.
 * @throws {AppError} unsupported_media_type; request_too_large; parse_error for what cannot be decompressed
 */
export async function inflateBody(
  sent: Uint8Array,
  contentEncoding: string | undefined,
  bytesMax: number,
): Promise<Uint8Array> {
  const coding = (contentEncoding ?? 'identity').trim().toLowerCase();
  if (coding === 'identity' || coding === '') return sent;
  if (!isKnown(coding))
    throw new AppError('unsupported_media_type', { detail: 'Unsupported content encoding in request.' });
  if (sent.length === 0) return sent;
  try {
    return await inflaters[coding](sent, { maxOutputLength: bytesMax });
  } catch (cause) {
    const isTooLarge =
      typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new AppError('request_too_large', { cause })
      : new AppError('parse_error', { detail: 'The request body could not be read.', cause });
  }
}

const isKnown = (coding: string): coding is keyof typeof inflaters => Object.hasOwn(inflaters, coding);
