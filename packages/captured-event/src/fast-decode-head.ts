import { distinctIdLengthStored } from '@millrace/contracts/limits.ts';
import { quote } from '@millrace/json/bytes.ts';
import { endOfString } from '@millrace/json/plain-parts.ts';
import { usualTimeLength } from '@millrace/runtime/date-time.ts';
import { isUuidAt, uuidLength } from '@millrace/runtime/ids.ts';
import type { CapturedEvent, SharedHead } from './captured-event.ts';
import { isTimestamp, sharedHeadError } from './check-head.ts';
import { encodeHead } from './encode-head.ts';
import { flatForm, readFlatMembers } from './flat-object.ts';
import { LastTail } from './last-tail.ts';
import { RecentTexts } from './recent-texts.ts';

const sample = encodeHead({ uuid: '<uuid>', event: '<event>', distinctId: '<id>', timestamp: '<time>' }, '<shared>');
/** The texts between the values of a head, as `encodeHead` writes them. */
const [openingText, eventText, idText, timeText, sharedText] = sample
  .split(/<uuid>|"<event>"|"<id>"|<time>|<shared>/)
  .map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer, Buffer, Buffer];
const sharedForm = flatForm(['personless', 'token', 'projectId', 'receivedAt', 'sentAt', 'ip', 'historical']);

/** Range of a head in a payload: from `headStart` to before `bodyStart`. */
export interface HeadRange {
  readonly payload: Buffer;
  readonly headStart: number;
  readonly bodyStart: number;
}

/**
 * A head with the members that nearly all have. Small, because it lives as long as its batch; its uuid stays bytes,
 * because few read its text.
 */
export class DecodedHead implements CapturedEvent {
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: string;
  readonly #shared: SharedHead;
  readonly #range: HeadRange;

  constructor(range: HeadRange, own: Pick<CapturedEvent, 'event' | 'distinctId' | 'timestamp'>, shared: SharedHead) {
    this.event = own.event;
    this.distinctId = own.distinctId;
    this.timestamp = own.timestamp;
    this.#shared = shared;
    this.#range = range;
  }

  get uuid(): string {
    return this.uuidBytes.toString('latin1', this.uuidAt, this.uuidAt + uuidLength);
  }

  /** Position of the uuid. */
  get uuidBytes(): Buffer {
    return this.#range.payload;
  }

  get uuidAt(): number {
    return this.#range.headStart + openingText.length;
  }

  get token(): string {
    return this.#shared.token;
  }

  get projectId(): number | null {
    return this.#shared.projectId;
  }

  get receivedAt(): string {
    return this.#shared.receivedAt;
  }

  get sentAt(): string | undefined {
    return this.#shared.sentAt;
  }

  get ip(): string | undefined {
    return this.#shared.ip;
  }

  get historical(): true | undefined {
    return this.#shared.historical;
  }

  get personless(): true | undefined {
    return this.#shared.personless;
  }
}

const events = new RecentTexts(6);
const distinctIds = new RecentTexts(13);
const times = new RecentTexts(3);
const lastShared = new LastTail<SharedHead>();

/**
 * A head as capture prints it: uuid, event, distinctId and timestamp in this order, without escapes, then what the events of
 * its request share. Null for every other one, be it a head or not (`decodeHead` parses those): it has an escape or a long id, or `$set` and the like stood beside the properties.
 */
export function fastDecodeHead(range: HeadRange): DecodedHead | null {
  const { headStart, bodyStart: end } = range;
  const bytes = range.payload;
  const uuidEnd = headStart + openingText.length + uuidLength;
  if (
    !standsAt(bytes, headStart, openingText) ||
    !isUuidAt(bytes, headStart + openingText.length) ||
    !standsAt(bytes, uuidEnd, eventText)
  )
    return null;
  const eventStart = uuidEnd + eventText.length;
  const eventEnd = endOfText(bytes, eventStart);
  const idStart = eventEnd + idText.length;
  const idEnd = eventEnd !== -1 && standsAt(bytes, eventEnd, idText) ? endOfText(bytes, idStart) : -1;
  const timeStart = idEnd + timeText.length;
  const sharedStart = timeStart + usualTimeLength + sharedText.length;
  if (idEnd === -1 || idEnd - idStart - 2 > distinctIdLengthStored) return null;
  // The text may end after the head, in the properties: then the head is not used.
  if (
    sharedStart >= end ||
    !standsAt(bytes, idEnd, timeText) ||
    !standsAt(bytes, timeStart + usualTimeLength, sharedText)
  )
    return null;
  const timestamp = times.read(bytes, timeStart, timeStart + usualTimeLength);
  const shared = isTimestamp(timestamp) ? readShared(bytes, sharedStart, end) : null;
  if (shared === null) return null;
  const own = {
    event: events.read(bytes, eventStart + 1, eventEnd - 1),
    distinctId: distinctIds.read(bytes, idStart + 1, idEnd - 1),
    timestamp,
  };
  return new DecodedHead(range, own, shared);
}

/** From the name at `start` on: the members after the timestamp. */
function readShared(bytes: Buffer, start: number, end: number): SharedHead | null {
  const known = lastShared.find(bytes, start, end);
  if (known !== null) return known;
  const read = readFlatMembers(bytes, start, end, sharedForm);
  if (read === null || sharedHeadError(read) !== null) return null;
  const shared = read as unknown as SharedHead;
  lastShared.store(bytes, start, end, shared);
  return shared;
}

function standsAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text[at]) return false;
  return true;
}

/** Behind the text whose quote is at `start`; -1 when there is none, or an empty one, or one with escapes. */
function endOfText(bytes: Buffer, start: number): number {
  const end = bytes[start] === quote ? endOfString(bytes, start) : -1;
  return end > start + 2 ? end : -1;
}
