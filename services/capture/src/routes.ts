import type { IncomingMessage, ServerResponse } from 'node:http';

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Route {
  method: 'POST';
  /** Without trailing slash; both forms are served, and never by a redirect (contract/capture 1.7). */
  path: string;
  handle: Handle;
}

/** Everything that capture serves, beside the operators' paths of `createOperations`. */
export function createRoutes(handlers: { receiveEvents: Handle }): Route[] {
  const { receiveEvents } = handlers;
  return [
    { method: 'POST', path: '/i/v0/e', handle: receiveEvents },
    { method: 'POST', path: '/batch', handle: receiveEvents },
  ];
}
