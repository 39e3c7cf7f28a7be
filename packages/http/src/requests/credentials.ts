import type { Request } from 'express';
import { AppError } from '../errors/errors.ts';
import { strangersBytesMax, type RequestBody } from './request-body.ts';

/** The body is larger than one that is searched for credentials (`strangersBytesMax`). */
export const bodyNotSearched = Symbol('body too large to be searched');

/** The places where a request may carry its key, and the path that it names. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** A text of the body's, when the body is a JSON object or a form that has it. Never throws. */
  readonly inBody: (field: string) => Promise<string | undefined | typeof bodyNotSearched>;
}

/** The credentials that `request` brings. Its body is read only when something in it is needed. */
export function credentialsOf(request: Request, query: Record<string, string>, body: RequestBody): Credentials {
  return {
    authorization: request.headers.authorization,
    params: request.params as Record<string, string>,
    query,
    async inBody(field) {
      try {
        const parsed = await body.parsed(strangersBytesMax);
        const value =
          parsed.kind === 'form'
            ? parsed.fields.get(field)?.at(-1)
            : (parsed.value as Record<string, unknown> | null)?.[field];
        return typeof value === 'string' ? value : undefined;
      } catch (error) {
        if (error instanceof AppError && error.status === 413) return bodyNotSearched;
        // The client's error: whoever needs the body reads it again and gets the error. But a body that did not come
        // names no credentials.
        if (error instanceof AppError && error.status !== 408 && error.status < 500) return undefined;
        throw error;
      }
    },
  };
}
