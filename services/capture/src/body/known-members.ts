import { NameTable } from '@millrace/json/name-table.ts';

/** Members of an event, or of the object around a batch, that capture reads. */
const eventNames = [
  'event',
  'distinct_id',
  '$distinct_id',
  'uuid',
  'timestamp',
  'offset',
  'api_key',
  'token',
  '$token',
  'properties',
  '$set',
  '$set_once',
  '$unset',
  'batch',
  'sent_at',
  'historical_migration',
  'options',
  'session_id',
  'window_id',
  'capture_internal',
] as const;

/** Members of the properties of an event that capture reads. */
const propertyNames = [
  'distinct_id',
  'token',
  '$insert_id',
  '$ignore_sent_at',
  '$session_id',
  '$groups',
  '$group_type',
  '$group_key',
  '$anon_distinct_id',
  'alias',
  '$product_tour_id',
  '$lib',
  '$lib_version',
] as const;

/** Properties that capture, or the V1 protocol, sets or changes. */
const changedNames = [
  '$groups',
  '$anon_distinct_id',
  'alias',
  '$session_id',
  '$window_id',
  '$cookieless_mode',
  '$ignore_sent_at',
  '$product_tour_id',
  '$process_person_profile',
  '$lib',
  '$lib_version',
] as const;

export type EventName = (typeof eventNames)[number];
export type PropertyName = (typeof propertyNames)[number];
export type ChangedName = (typeof changedNames)[number];
/** Properties that are set, and the JSON text that each gets. */
export type ChangedMembers = ReadonlyMap<ChangedName, string>;

/** Always all of them, so that every one of these objects looks alike to V8; undefined is what the text does not hold. */
export type EventMembers = Record<EventName, unknown>;
export type PropertyMembers = Record<PropertyName, unknown>;

export const eventMembers = new NameTable(eventNames);
export const propertyMembers = new NameTable(propertyNames);
export const changedMembers = new NameTable(changedNames);
/**
 * Only V1 looks at `$lib` and `$lib_version`: reading them for v0 too, where nothing uses them, was a tenth of the cost
 * of a batch.
 */
export const v0PropertyMembers = new NameTable(propertyNames.filter((name) => !name.startsWith('$lib')));

/** An event that nothing is known of yet. */
export function noEventMembers(): EventMembers {
  return {
    event: undefined,
    distinct_id: undefined,
    $distinct_id: undefined,
    uuid: undefined,
    timestamp: undefined,
    offset: undefined,
    api_key: undefined,
    token: undefined,
    $token: undefined,
    properties: undefined,
    $set: undefined,
    $set_once: undefined,
    $unset: undefined,
    batch: undefined,
    sent_at: undefined,
    historical_migration: undefined,
    options: undefined,
    session_id: undefined,
    window_id: undefined,
    capture_internal: undefined,
  };
}

/** Properties that nothing is known of yet. */
export function noPropertyMembers(): PropertyMembers {
  return {
    distinct_id: undefined,
    token: undefined,
    $insert_id: undefined,
    $ignore_sent_at: undefined,
    $session_id: undefined,
    $groups: undefined,
    $group_type: undefined,
    $group_key: undefined,
    $anon_distinct_id: undefined,
    alias: undefined,
    $product_tour_id: undefined,
    $lib: undefined,
    $lib_version: undefined,
  };
}
