import { randomInt } from 'node:crypto';
import type { UuidRange } from '@millrace/clickhouse/insert/columns.ts';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { uuidLength } from '@millrace/runtime/ids.ts';
import type { EventKey } from './uuid-table.ts';

/** The fields that distinguish events. The uuid may be bytes, which are as good as its text. */
export type Identified = Pick<CapturedEvent, 'uuid' | 'event' | 'distinctId'> & Partial<UuidRange>;

/**
 * Secrets of the process. A sender who could compute the hash might send an event with the key of another sender's event, which
 * would then be dropped as a duplicate.
 */
const seed = randomInt(2 ** 32);
const factor = randomInt(2 ** 31) * 2 + 1;

/**
 * Two events are one when uuid, project, name and distinct id agree: what the engine's own key says, but for the day,
 * which a client's second try may change. The uuid is compared in full; of the rest a hash is enough, which is another in
 * each process. The project and not its token, which may be another by the time of the second try.
 */
export function eventKey(met: Identified, projectId: number): EventKey {
  const bytes = met.uuidBytes ?? codesOf(met.uuid);
  const at = met.uuidAt ?? 0;
  return {
    w0: hexWord(bytes, at, at + 4),
    w1: hexWord(bytes, at + 9, at + 14),
    w2: hexWord(bytes, at + 19, at + 24),
    w3: hexWord(bytes, at + 28, at + 32),
    sameness: addText(addText(mixed(seed ^ projectId), met.event), met.distinctId) >>> 0,
  };
}

/** Time in the uuid, in milliseconds since 1970 by the client's clock; Infinity when it has none. */
export function uuidTimeMs({ w0, w1 }: EventKey): number {
  const version = (w1 >>> 12) & 15;
  return version === 7 ? w0 * 65_536 + (w1 >>> 16) : Infinity;
}

const codes = Buffer.alloc(uuidLength);

/** The characters of a uuid as bytes, until the next call. */
function codesOf(uuid: string): Buffer {
  for (let at = 0; at < codes.length; at++) codes[at] = uuid.charCodeAt(at);
  return codes;
}

/** Two times four hexadecimal digits. */
function hexWord(bytes: Uint8Array, first: number, second: number): number {
  return ((hex4(bytes, first) << 16) | hex4(bytes, second)) >>> 0;
}

function hex4(bytes: Uint8Array, at: number): number {
  return (digit(bytes, at) << 12) | (digit(bytes, at + 1) << 8) | (digit(bytes, at + 2) << 4) | digit(bytes, at + 3);
}

/** `0`–`9`, `a`–`f` and `A`–`F`. */
function digit(bytes: Uint8Array, at: number): number {
  const code = bytes[at] ?? 0;
  return (code & 15) + (code >> 6) * 9;
}

function addText(hash: number, text: string): number {
  // The length keeps "a", "bc" and "ab", "c" apart.
  let sum = mixed(hash ^ text.length);
  for (let at = 0; at < text.length; at++) sum = mixed(sum ^ text.charCodeAt(at));
  return sum;
}

/** Without the shift some pairs of long texts would collide with every factor. */
function mixed(sum: number): number {
  const product = Math.imul(sum, factor);
  return product ^ (product >>> 15);
}
