import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from './operation.ts';
import type { RefusalName } from './replies.ts';

export type Method = 'GET' | 'HEAD' | 'POST';

/** Answers a request. A rejection is a fault of ours: it is logged, and answered by 500 if nothing was. */
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
  refuse?: (response: ServerResponse, name: RefusalName, headers?: Record<string, string>) => number;
}
