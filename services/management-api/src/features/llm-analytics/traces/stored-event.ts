import type { StoredEvent } from '../../../queries/stream/read-stored-events.ts';

/** Events of one trace. */
export interface StoredTrace {
  /** At least one, each uuid once, the earliest first; events of the same time by uuid. */
  events: StoredEvent[];
  /** Events of the trace that were left out because of the bounds (contract/decisions 58): the oldest. */
  eventsOmitted: number;
}
