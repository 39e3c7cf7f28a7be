import { isUuid, uuidV5, uuidV7 } from '@millrace/runtime/ids.ts';

/** Name space of the uuids that capture derives; fixed for ever, or a retried event would become another one. */
const namespace = '6f0f8a52-39e1-5c4b-9d0e-7a64c8f1b3d2';
/** Texts that some clients send for "none". */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Everything that distinguishes one event from another. */
export interface UuidFacts {
  /** As sent. */
  uuid: unknown;
  insertId: unknown;
  token: string;
  distinctId: string;
  event: string;
  /** The time that the client gave, as sent; null when it gave none. */
  timestamp: unknown;
  /** False when that time was unreadable, out of range or the zero of Unix. Called only when the uuid depends on it. */
  hasUsableTime: () => boolean;
  /**
   * The texts of everything else that it holds, the properties first. Called only when the uuid is derived from them.
   */
  contentTexts: () => readonly string[];
  timeMs: number;
}

/**
 * The uuid of an event (contract/capture 2.3, contract/decisions 1): the client's own, in lower case; else derived, so
 * that a retry gives the same one: from `$insert_id`, or from the event when it has a time of its own; else a random
 * version 7 at the time of the event. An unusable text (`invalid`) is replaced by one derived from it **and** the whole
 * event: a client that sends the same wrong text with each event must not have them all taken for one.
 *
 * Two different events with one uuid would silently become one. So two rules go beyond the decision: `$set`,
 * `$set_once` and `$unset` distinguish events as the properties do; and a time that is unreadable, out of range (such
 * as the zero time of Go) or the zero of Unix does not count as the event's own, because a client may send it with each
 * event. A retry of such an event may count twice.
 */
export function eventUuid(facts: UuidFacts): { uuid: string; invalid: boolean } {
  const { uuid } = facts;
  if (typeof uuid === 'string' && uuid.length === 36 && isUuid(uuid)) {
    const lower = uuid.toLowerCase();
    if (lower !== nilUuid) return { uuid: lower, invalid: false };
  } else if (uuid !== undefined && uuid !== null && uuid !== '') {
    const unhyphenated = typeof uuid === 'string' ? hyphenated(uuid) : null;
    if (unhyphenated !== null) return { uuid: unhyphenated, invalid: false };
    return {
      uuid: derive(facts, 'invalid', JSON.stringify(uuid), timestampText(facts), ...facts.contentTexts()),
      invalid: true,
    };
  }
  return { uuid: withoutClientUuid(facts), invalid: false };
}

function withoutClientUuid(facts: UuidFacts): string {
  const { insertId, timestamp } = facts;
  if (typeof insertId === 'string' && insertId !== '') return derive(facts, 'insert', insertId);
  if (timestamp !== null && facts.hasUsableTime())
    return derive(facts, 'content', timestampText(facts), ...facts.contentTexts());
  return uuidV7(facts.timeMs);
}

function timestampText({ timestamp }: UuidFacts): string | null {
  return timestamp === null ? null : JSON.stringify(timestamp);
}

function derive({ token, distinctId, event }: UuidFacts, ...parts: readonly (string | null)[]): string {
  return uuidV5(namespace, JSON.stringify([token, distinctId, event, ...parts]));
}

/** Forms that other parsers take as well: 32 digits, a `urn:uuid:` before it, braces around it. */
function hyphenated(text: string): string | null {
  const hex = text
    .trim()
    .toLowerCase()
    .replace(/^urn:uuid:|^\{|\}$/g, '')
    .replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(hex)) return null;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const divergenceMsMax = 3 * 86_400_000;
/** Range of a version 7 time of which 32 of the 48 bits are known. */
const coarseMs = 65_536;

/**
 * The time inside a version 7 uuid when it lies more than 3 days from that of the event (contract/capture 2.3), else
 * null. Eight digits settle nearly every case: they give the time to 66 s.
 */
export function divergentUuidTime(uuid: string, eventMs: number): number | null {
  if (uuid[14] !== '7') return null;
  const coarse = hexNumber(uuid, 0, 8) * coarseMs;
  if (Math.abs(coarse - eventMs) < divergenceMsMax - coarseMs) return null;
  const ms = coarse + hexNumber(uuid, 9, 13);
  return Math.abs(ms - eventMs) > divergenceMsMax ? ms : null;
}

/** Lower-case digits, known to be some. By hand: it runs for every event, and needs no text of its own. */
function hexNumber(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    value = value * 16 + (code & 15) + (code > 57 ? 9 : 0);
  }
  return value;
}
