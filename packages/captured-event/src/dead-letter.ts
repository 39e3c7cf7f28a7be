import { decodeBundle, encodeBundle, type BundleEntry } from './event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';

/** Why the consumer could not process something; or `operator_redirect`: a restriction sent it here before any lane (contract/capture 1.11). */
export type DeadLetterReason =
  | 'unreadable_bundle'
  | 'unreadable_head'
  | 'unreadable_properties'
  | 'unexpected_fault'
  | 'row_refused'
  | 'operator_redirect';

/** The head of an entry in the lane `dead-letter`; the body is what its place held: a record's payload, or that of one entry (`entryPayload`). */
export interface DeadLetter {
  reason: DeadLetterReason;
  /** The step of the consumer that gave up. */
  step: string;
  /** The message of the error, for people; at most 1,000 characters. */
  detail: string;
  /**
   * Its position in the log. `index` counts within the record; null: the whole record. An event that an operator
   * redirected had none: then `lane` and `partition` are those it was meant for, `writer` is `capture` and `offset` the
   * event's uuid.
   */
  lane: Lane;
  partition: number;
  writer: string;
  offset: string;
  index: number | null;
  /** UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  failedAt: string;
}

/** An entry of the lane `dead-letter`. `payload` is a bundle (of the one entry), or what could not be read as one. */
export function deadLetterEntry(letter: DeadLetter, payload: Buffer): BundleEntry {
  return { head: Buffer.from(JSON.stringify(letter)), body: payload };
}

/** The payload of a single entry: a bundle that can be appended to its lane again as it is. */
export function entryPayload(entry: BundleEntry): Buffer {
  return encodeBundle([entry]);
}

/**
 * Reads a record of the lane `dead-letter`: of each letter what happened, and the payload to append to `letter.lane` for a second try.
 * One failure can have two letters, after a crash between keeping it and committing: then lane, partition, writer, offset and index are the same.
 */
export function readDeadLetters(payload: Buffer): { letter: DeadLetter; payload: Buffer }[] {
  return decodeBundle(payload).map(({ head, body }) => ({
    letter: JSON.parse(head.toString()) as DeadLetter,
    payload: body,
  }));
}
