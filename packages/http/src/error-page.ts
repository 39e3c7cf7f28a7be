import type { Request, Response } from 'express';
import type { Route } from './define-route.ts';
import type { AppError } from './errors/errors.ts';
import type { BytesReply } from './replies/reply.ts';
import type { Form } from './requests/parse-body.ts';
import { preferredType } from './requests/preferred-type.ts';
import type { RequestBody } from './requests/request-body.ts';

const local = 'errorPage';
const formLocal = 'form';

/** The body of a request, which pages of its errors know as soon as it was read as a form. */
export function knownBody(body: RequestBody, response: Response): RequestBody {
  return {
    ...body,
    async parsed(bytesMax) {
      const parsed = await body.parsed(bytesMax);
      if (parsed.kind === 'form') response.locals[formLocal] = parsed.fields;
      return parsed;
    },
  };
}

/** From now on errors of this request have the page of its route, if the route has one. */
export function useErrorPage(response: Response, { errorPage }: Pick<Route, 'errorPage'>): void {
  response.locals[local] = errorPage;
}

/** The page of an error, for clients that prefer HTML to JSON, such as browsers; undefined for others, and when the route has none. */
export function errorPageOf(error: AppError, request: Request, response: Response): BytesReply | undefined {
  const errorPage = response.locals[local] as Route['errorPage'];
  if (errorPage === undefined) return undefined;
  return preferredType(request.headers.accept, ['application/json', 'text/html']) === 'text/html'
    ? errorPage(error, (response.locals[formLocal] as Form | undefined) ?? new Map())
    : undefined;
}
