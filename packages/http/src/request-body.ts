import express, { type Request, type Response } from 'express';
import { parseBody, type ParsedBody } from './parse-body.ts';

/** The body of one request; it is read when it is first asked for, and only once. */
export interface RequestBody {
  /** @throws {AppError} as `parseBody`, and what is wrong with its length or its encoding */
  parsed(): Promise<ParsedBody>;
}

export type BodyOf = (request: Request, response: Response, forms: { jsonOnly?: boolean }) => RequestBody;

/** Reads bodies of at most `bytesMax` bytes, after decompression. */
export function createBodyOf(bytesMax: number): BodyOf {
  const readRaw = express.raw({ type: () => true, limit: bytesMax });

  function read(request: Request, response: Response): Promise<Uint8Array> {
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
