import type { Request, Response } from 'express';
import type { Route } from './define-route.ts';
import type { AppError } from './errors/errors.ts';
import type { BytesReply } from './replies/reply.ts';
import { preferredType } from './requests/preferred-type.ts';

const local = 'errorPage';

/** From now on errors of this request have the page of its route, if the route has one. */
export function useErrorPage(response: Response, { errorPage }: Pick<Route, 'errorPage'>): void {
  response.locals[local] = errorPage;
}

/** The page of an error, for clients that prefer HTML to JSON, such as browsers; undefined for others, and when the route has none. */
export function errorPageOf(error: AppError, request: Request, response: Response): BytesReply | undefined {
  const errorPage = response.locals[local] as Route['errorPage'];
  if (errorPage === undefined) return undefined;
  return preferredType(request.headers.accept, ['application/json', 'text/html']) === 'text/html'
    ? errorPage(error)
    : undefined;
}
