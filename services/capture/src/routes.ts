import { sendV1Refusal } from './v1/receive-v1-events.ts';
import type { Handle, Route } from './http/route.ts';

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
