import express, { type Request, type Response } from 'express';
import { AppError } from './errors.ts';
import { parseBody, type ParsedBody } from './parse-body.ts';

/** The body of one request; it is read when it is first asked for, and only once. */
export interface RequestBody {
  /** @throws {AppError} as `parseBody`, and what is wrong with its length or its encoding */
  parsed(): Promise<ParsedBody>;
}

/** The body of a request, not read yet; `jsonOnly`: forms are refused with 415. */
export type BodyOf = (request: Request, response: Response, forms: { jsonOnly?: boolean }) => RequestBody;

/** Small bodies of a known length, as nearly all are: gathered here. All others are for Express, which knows every encoding. */
const plainBytesMax = 65_536;

/** Reads bodies of at most `bytesMax` bytes, after decompression. */
export function createBodyOf(bytesMax: number): BodyOf {
  const readRaw = express.raw({ type: () => true, limit: bytesMax });

  function read(request: Request, response: Response): Promise<Uint8Array> {
    const length = Number(request.headers['content-length']);
    if (length <= Math.min(plainBytesMax, bytesMax) && request.headers['content-encoding'] === undefined) return gather(request, length);
    return new Promise((resolve, reject) => {
      readRaw(request, response, (error?: unknown) => {
        const bytes: unknown = request.body;
        if (error !== undefined) reject(error instanceof Error ? error : new Error('the body could not be read', { cause: error }));
        else resolve(bytes instanceof Uint8Array ? bytes : new Uint8Array());
      });
    });
  }

  return (request, response, forms) => {
    let parsed: Promise<ParsedBody> | undefined;
    return {
      parsed() {
        parsed ??= read(request, response).then((bytes) => parseBody(bytes, request.headers['content-type'], forms));
        return parsed;
      },
    };
  };
}

/** @throws {AppError} parse_error when the client goes away before its end */
function gather(request: Request, length: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const refuse = (cause?: Error): void => reject(new AppError('parse_error', { detail: 'The request body could not be read.', cause }));
    if (request.destroyed) return refuse();
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length)));
    request.on('error', refuse);
  });
}
