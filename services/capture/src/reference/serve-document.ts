import { sendJsonBytes } from '../http/replies.ts';
import type { Route } from '../http/route.ts';
import { release } from '@millrace/runtime/release.ts';
import { openApiDocument, title, type BodyLimits } from './openapi-document.ts';

/** The routes, and one more: the OpenAPI document of them all. No SDK requests its path. */
export function withDocument(routes: readonly Route[], limits: BodyLimits): Route[] {
  const all: Route[] = [
    ...routes,
    {
      methods: ['GET', 'HEAD'],
      access: 'public',
      path: '/openapi.json',
      operation: {
        tag: 'Reference',
        summary: 'This document',
        replies: {
          200: { type: 'object', examples: [{ openapi: '3.1.0', info: { title, version: release }, paths: {} }] },
        },
      },
      handle,
    },
  ];
  const document = Buffer.from(JSON.stringify(openApiDocument(all, limits)));
  return all;

  function handle(...[, response]: Parameters<Route['handle']>): Promise<void> {
    return Promise.resolve(void sendJsonBytes(response, 200, document));
  }
}
