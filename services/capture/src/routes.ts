import type { Handle, Route } from './http/route.ts';
import { batches, events, persons, recordings } from './reference/event-operations.ts';
import type { BodyLimits } from './reference/openapi-document.ts';
import { withDocument } from './reference/serve-document.ts';
import { v1Events } from './reference/v1-operation.ts';
import { sendV1Error } from './v1/receive-v1-events.ts';

/** Dependencies of the routes. */
export interface Handlers {
  receiveEvents: Handle;
  /** As `receiveEvents`, but an event without a name is an `$identify`. */
  receivePersons: Handle;
  receiveV1Events: Handle;
  discardRecordings: Handle;
  sdkStubs: readonly Route[];
  webSdk: readonly Route[];
  /** As the document says them. */
  limits: BodyLimits;
}

/** Everything that capture serves, beside the operators' paths of `createOperations` (contract/capture 1.1, 1.2). */
export function createRoutes({
  receiveEvents,
  receivePersons,
  receiveV1Events,
  discardRecordings,
  sdkStubs,
  webSdk,
  limits,
}: Handlers): Route[] {
  return withDocument(
    [
      { methods: ['GET', 'POST'], access: 'project-token', path: '/i/v0/e', operation: events, handle: receiveEvents },
      { methods: ['GET', 'POST'], access: 'project-token', path: '/batch', operation: batches, handle: receiveEvents },
      { methods: ['GET', 'POST'], access: 'project-token', path: '/e', operation: events, handle: receiveEvents },
      { methods: ['GET', 'POST'], access: 'project-token', path: '/capture', operation: events, handle: receiveEvents },
      { methods: ['GET', 'POST'], access: 'project-token', path: '/track', operation: events, handle: receiveEvents },
      {
        methods: ['GET', 'POST'],
        access: 'project-token',
        path: '/i/v0/ai/batch',
        operation: batches,
        handle: receiveEvents,
      },
      {
        methods: ['GET', 'POST'],
        access: 'project-token',
        path: '/engage',
        operation: persons,
        handle: receivePersons,
      },
      {
        methods: ['POST'],
        access: 'project-token',
        path: '/i/v1/analytics/events',
        operation: v1Events,
        handle: receiveV1Events,
        sendError: sendV1Error,
      },
      {
        methods: ['POST'],
        access: 'project-token',
        path: '/i/v1/ai/events',
        operation: v1Events,
        handle: receiveV1Events,
        sendError: sendV1Error,
      },
      { methods: ['GET', 'POST'], access: 'public', path: '/s', operation: recordings, handle: discardRecordings },
      ...sdkStubs,
      ...webSdk,
    ],
    limits,
  );
}
