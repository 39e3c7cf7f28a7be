import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendV1Refusal } from './v1/receive-v1-events.ts';

type Method = 'GET' | 'HEAD' | 'POST';

/** Answers a request; its promise never rejects. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Route {
  methods: readonly Method[];
  /** Who may call: anyone, or whoever knows a project's token. Tests ask each route about it. */
  access: 'public' | 'project-token';
  /** Without trailing slash; both forms are served, and never by a redirect (contract/capture 1.7). */
  path: string;
  handle: Handle;
  /** Answers methods that it does not take; `sendRefusal` unless given. */
  refuse?: typeof sendV1Refusal;
}

/** What the routes are served by. */
export interface Handlers {
  receiveEvents: Handle;
  /** As `receiveEvents`, but an event without a name is an `$identify`. */
  receivePersons: Handle;
  receiveV1Events: Handle;
  discardRecordings: Handle;
  sdkStubs: readonly Route[];
}

/** Everything that capture serves, beside the operators' paths of `createOperations` (contract/capture 1.1, 1.2). */
export function createRoutes({ receiveEvents, receivePersons, receiveV1Events, discardRecordings, sdkStubs }: Handlers): Route[] {
  return [
    { methods: ['GET', 'POST'], access: 'project-token', path: '/i/v0/e', handle: receiveEvents },
    { methods: ['GET', 'POST'], access: 'project-token', path: '/batch', handle: receiveEvents },
    { methods: ['GET', 'POST'], access: 'project-token', path: '/e', handle: receiveEvents },
    { methods: ['GET', 'POST'], access: 'project-token', path: '/capture', handle: receiveEvents },
    { methods: ['GET', 'POST'], access: 'project-token', path: '/track', handle: receiveEvents },
    { methods: ['GET', 'POST'], access: 'project-token', path: '/i/v0/ai/batch', handle: receiveEvents },
    { methods: ['GET', 'POST'], access: 'project-token', path: '/engage', handle: receivePersons },
    { methods: ['POST'], access: 'project-token', path: '/i/v1/analytics/events', handle: receiveV1Events, refuse: sendV1Refusal },
    { methods: ['POST'], access: 'project-token', path: '/i/v1/ai/events', handle: receiveV1Events, refuse: sendV1Refusal },
    { methods: ['GET', 'POST'], access: 'public', path: '/s', handle: discardRecordings },
    ...sdkStubs,
  ];
}
