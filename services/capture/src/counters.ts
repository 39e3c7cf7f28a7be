import { captureReasons } from '@millrace/contracts/capture-reasons.ts';
import type { DropReason } from './events/event.ts';

/** Plain numbers that requests count in, which costs least; `/metrics` is made of them on request. */
export interface CaptureCounters {
  /** Replies by status; 0 counts clients that disconnected before their reply. */
  replies: Record<number, number>;
  eventsAccepted: number;
  eventsDropped: Record<DropReason, number>;
  /** Accepted events that limits or restrictions sent to another lane. */
  eventsMoved: Record<'overflow' | 'dead-letter', number>;
  bodyBytes: number;
  /** Requests that were taken although their token could not be looked up. */
  unverifiedRequests: number;
  /** Requests whose events are stored but whose warnings could not be. */
  warningsLost: number;
  /** Bytes of bodies in memory, as sent and as inflated: those that arrive and those that wait for the log. */
  bytesInFlight: number;
}

/** All zero. Every reason to drop an event is there from the beginning. */
export function createCaptureCounters(): CaptureCounters {
  const eventsDropped = Object.fromEntries(Object.keys(captureReasons).map((reason) => [reason, 0])) as Record<
    DropReason,
    number
  >;
  return {
    replies: {},
    eventsAccepted: 0,
    eventsDropped,
    eventsMoved: { overflow: 0, 'dead-letter': 0 },
    bodyBytes: 0,
    unverifiedRequests: 0,
    warningsLost: 0,
    bytesInFlight: 0,
  };
}
