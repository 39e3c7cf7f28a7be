import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from './operation.ts';
import type { ErrorReplyName } from './error-replies.ts';

export type Method = 'GET' | 'HEAD' | 'POST';

/** Handles a request. A rejection is an internal error: it is logged, and replied to with 500 if no reply was begun. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Route {
  methods: readonly Method[];
  /** Callers that may use the route: all, or those with a project token. Tests check it for each route. */
  access: 'public' | 'project-token';
  /** Without trailing slash; both forms are served, and never by a redirect (contract/capture 1.7). */
  path: string;
  /** Its description in the OpenAPI document, which is made of the routes. */
  operation: Operation;
  handle: Handle;
  /** Replies to methods that the route does not take; default `sendError` of the listener. */
  sendError?: (response: ServerResponse, name: ErrorReplyName, headers?: Record<string, string>) => number;
}
