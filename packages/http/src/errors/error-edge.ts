import type { ErrorRequestHandler, Request, Response } from 'express';
import { AppError, errorBody, errorHeaders } from './errors.ts';

/** The part of a logger that the edge uses. */
export interface ErrorLog {
  error(fields: object, message: string): void;
}

/** Knows failures of a service's own parts (a database that is down); undefined for others. */
export type TranslateError = (error: unknown) => AppError | undefined;

/** The page of an error in place of its JSON, for those who read pages. */
type PageOf = (
  error: AppError,
  request: Request,
  response: Response,
) => { readonly headers: Readonly<Record<string, string>>; readonly chunks: readonly Uint8Array[] } | undefined;

/**
 * The one place where a failure becomes a reply. What nobody foresaw is a 500 whose cause is in the log under the
 * request id that the reply carries (`X-Request-Id`), never in the reply.
 */
export function errorEdge(
  log: ErrorLog,
  translate: TranslateError,
  pageOf: PageOf = () => undefined,
): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    if (response.destroyed) return; // the client went away, and with it the work for it
    const error = toAppError(thrown, translate);
    if (error.status >= 500) {
      log.error(
        { err: error.cause ?? error, code: error.code, requestId: response.getHeader('x-request-id') },
        'request failed',
      );
    }
    if (response.headersSent) return cut(response);
    const page = pageOf(error, request, response);
    const body = page ? Buffer.concat(page.chunks) : Buffer.from(JSON.stringify(errorBody(error)));
    response.writeHead(error.status, {
      ...errorHeaders(error),
      ...(page?.headers ?? { 'content-type': 'application/json' }),
      'content-length': body.length,
    });
    response.end(body);
  };
}

/** A reset, not an end: over HTTP/1.0, where the end of the connection ends the body, half a reply would pass for a whole one. */
function cut(response: Response): void {
  response.socket?.resetAndDestroy();
}

function toAppError(thrown: unknown, translate: TranslateError): AppError {
  if (thrown instanceof AppError) return thrown;
  return translate(thrown) ?? errorOfFramework(thrown) ?? new AppError('error', { cause: thrown });
}

/**
 * Translates an error of Express or its body reader (it has a status and a type) into the error that the caller reads;
 * undefined for all others.
 */
export function errorOfFramework(thrown: unknown): AppError | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') return undefined;
  if (thrown.status === 413) return new AppError('request_too_large', { cause: thrown });
  if (thrown.status === 415)
    return new AppError('unsupported_media_type', {
      detail: 'Unsupported content encoding in request.',
      cause: thrown,
    });
  if (thrown instanceof URIError) return new AppError('not_found', { cause: thrown });
  if (thrown.status >= 400 && thrown.status < 500) {
    return new AppError('parse_error', { detail: 'The request body could not be read.', cause: thrown });
  }
  return undefined;
}
