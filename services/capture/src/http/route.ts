import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from './operation.ts';
import type { ErrorReplyName } from './error-replies.ts';

export type Method = 'GET' | 'HEAD' | 'POST';

/** Answers a request. A rejection is an internal error: it is logged, and answered by 500 if nothing was. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Route {
  methods: readonly Method[];
  /** Callers it is for: anyone, or whoever knows a project's token. Tests ask each route about it. */
  access: 'public' | 'project-token';
  /** Without trailing slash; both forms are served, and never by a redirect (contract/capture 1.7). */
  path: string;
  /** Its description in the OpenAPI document, which is made of the routes. */
  operation: Operation;
  handle: Handle;
  /** Answers methods that it does not take; `sendRefusal` unless given. */
  sendError?: (response: ServerResponse, name: ErrorReplyName, headers?: Record<string, string>) => number;
}
