import { sendJsonBytes } from '../http/replies.ts';
import type { Route } from '../http/route.ts';
import { openApiDocument } from './openapi-document.ts';

/** The routes, and one more: the OpenAPI document of them all. No SDK requests its path. */
export function withDocument(routes: readonly Route[]): Route[] {
  const all: Route[] = [
    ...routes,
    {
      methods: ['GET', 'HEAD'],
      access: 'public',
      path: '/openapi.json',
      operation: { tag: 'Reference', summary: 'This document', replies: { 200: { type: 'object' } } },
      handle,
    },
  ];
  const document = Buffer.from(JSON.stringify(openApiDocument(all)));
  return all;

  function handle(...[, response]: Parameters<Route['handle']>): Promise<void> {
    return Promise.resolve(void sendJsonBytes(response, 200, document));
  }
}
