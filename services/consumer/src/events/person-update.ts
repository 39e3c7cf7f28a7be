import type { EventKind } from '@millrace/contracts/event-kinds.ts';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import type { AutomaticProperty } from '../properties/automatic-properties.ts';

/** Properties of an event that change its person. */
export const updateNames = ['$set', '$set_once', '$unset'] as const;

/** Changes of its person that one event brings. */
export interface PersonUpdate {
  set: JsonObject;
  setOnce: JsonObject;
  unset: readonly string[];
  automatic: readonly AutomaticProperty[];
  /** The event is about the person itself, so that any change is worth a write. */
  personEvent: boolean;
}

/**
 * An event that says two distinct ids are one person (contract/capture 4.4): `own` is the event's distinct id, `other` its
 * `$anon_distinct_id` or `alias`.
 */
export interface MergeRequest {
  kind: NonNullable<EventKind['merge']>['kind'];
  own: string;
  other: string;
}
