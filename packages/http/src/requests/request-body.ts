import type { Request, Response } from 'express';
import type { ArrivingBodies } from '@millrace/runtime/bodies/arriving-bodies.ts';
import { AppError } from '../errors/errors.ts';
import { gatherBody } from './gather-body.ts';
import { inflateBody } from './inflate-body.ts';
import { parseBody, type ParsedBody } from './parse-body.ts';

/**
 * Largest body, after decompression, that is parsed for a caller whom nobody knows yet: reading one takes the event loop up to 6 ms,
 * and 1 MiB up to 140 ms, which anybody could send in 2 kB of gzip.
 */
export const strangersBytesMax = 65_536;

/** The body of one request; it is read when it is first needed, and only once. */
export interface RequestBody {
  /**
   * `bytesMax`: of the body after decompression, where it is less than usual.
   * @throws {AppError} as `parseBody`, and what is wrong with its length, its encoding or its pace
   */
  parsed(bytesMax?: number): Promise<ParsedBody>;
  /** The body after decompression. @throws {AppError} what is wrong with its length, its encoding or its pace */
  unparsed(): Promise<Uint8Array>;
}

/** The body of a request, not read yet; `jsonOnly`: forms are refused with 415; `unparsed`: it may be large. */
export type BodyOf = (
  request: Request,
  response: Response,
  route: { jsonOnly?: boolean; unparsed?: boolean },
) => RequestBody;

/** Reads bodies of at most `bytesMax` bytes (`largeBytesMax`: of unparsed ones), as sent and after decompression, in the sight of `bodies`. */
export function createBodyOf(
  { bytesMax: usualBytesMax, largeBytesMax }: { bytesMax: number; largeBytesMax: number },
  bodies: ArrivingBodies,
): BodyOf {
  async function read(request: Request, response: Response, bytesMax: number): Promise<Uint8Array> {
    try {
      const sent = await gatherBody(request, bytesMax, bodies);
      return await inflateBody(sent, request.headers['content-encoding'], bytesMax);
    } catch (error) {
      // Nobody waits for the rest of it.
      if (error instanceof AppError && (error.status === 408 || error.status === 503))
        response.setHeader('connection', 'close');
      throw error;
    }
  }

  return (request, response, route) => {
    const bytesMax = route.unparsed ? largeBytesMax : usualBytesMax;
    let sent: Promise<Uint8Array> | undefined;
    let parsed: Promise<ParsedBody> | undefined;
    return {
      async parsed(most = bytesMax) {
        // Nobody knows yet who sends this one: no more of it is gathered than is looked at.
        const readMax = route.unparsed ? most : bytesMax;
        const bytes = await (sent ??= read(request, response, readMax));
        if (bytes.length > most) throw new AppError('request_too_large');
        return await (parsed ??= sent.then((all) => parseBody(all, request.headers['content-type'], route)));
      },
      unparsed: () => (sent ??= read(request, response, bytesMax)),
    };
  };
}
