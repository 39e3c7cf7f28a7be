/**
 * The head of an event on its way from capture to consumer. The event's own properties travel beside it, as the JSON
 * text that the client sent (see `event-bundle.ts`), so that they are neither parsed nor printed on the way.
 *
 * Capture guarantees: `distinctId` is not blank and at most `distinctIdLengthMax` code points; `event` is not blank;
 * `uuid` is a lower-case UUID; `timestamp` lies in 1900–2299; ids and the event name hold neither lone surrogates nor NUL.
 */
export interface CapturedEvent {
  uuid: string;
  token: string;
  /** The project that the token names, or null when capture could not look it up: then the consumer decides. */
  projectId: number | null;
  event: string;
  distinctId: string;
  /** When it happened, after skew correction: UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ` (always six digits). */
  timestamp: string;
  /** When capture received it, in the same form. */
  receivedAt: string;
  /** When the client sent the request, by its own clock, in the same form; absent when it did not say, or lies outside 1900–2299. */
  sentAt?: string | undefined;
  /** Address of the client, unless unknown. */
  ip?: string | undefined;
  /** Top-level `$set`, `$set_once`, `$unset` of the event, as sent (they win over those in the properties, contract/capture 2.6). */
  set?: unknown;
  setOnce?: unknown;
  unset?: unknown;
  /** Sent with `historical_migration` (spec 4.5). */
  historical?: true | undefined;
  /** Person processing is switched off for this event, whatever its properties say. */
  personless?: true | undefined;
}

/** The members that the events of one request share. */
export type SharedHead = Pick<
  CapturedEvent,
  'token' | 'projectId' | 'receivedAt' | 'sentAt' | 'ip' | 'historical' | 'personless'
>;
