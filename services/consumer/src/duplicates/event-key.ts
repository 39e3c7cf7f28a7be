import type { CapturedEvent } from '@millrace/contracts/captured-event.ts';
import type { EventKey } from './uuid-table.ts';

/** What tells events apart. */
export type Identified = Pick<CapturedEvent, 'uuid' | 'event' | 'distinctId'>;

/**
 * Two events are one when uuid, project, name and distinct id agree: what the engine's own key says, but for the day,
 * which a client's second try may change. The uuid is compared in full; of the rest a hash is enough. The project and not
 * its token, which may be another by the time of the second try.
 */
export function eventKey({ uuid, event, distinctId }: Identified, projectId: number): EventKey {
  return {
    w0: hexWord(uuid, 0, 4),
    w1: hexWord(uuid, 9, 14),
    w2: hexWord(uuid, 19, 24),
    w3: hexWord(uuid, 28, 32),
    sameness: addText(addText(Math.imul(0x811c9dc5 ^ projectId, 0x01000193), event), distinctId) >>> 0,
  };
}

/** When the uuid says that it was made, in milliseconds since 1970 by the client's clock; Infinity when it does not say. */
export function uuidTimeMs(uuid: string, { w0, w1 }: EventKey): number {
  return uuid[14] === '7' ? w0 * 65_536 + (w1 >>> 16) : Infinity;
}

/** Two times four hexadecimal digits. */
function hexWord(text: string, first: number, second: number): number {
  return ((hex4(text, first) << 16) | hex4(text, second)) >>> 0;
}

function hex4(text: string, at: number): number {
  return (digit(text, at) << 12) | (digit(text, at + 1) << 8) | (digit(text, at + 2) << 4) | digit(text, at + 3);
}

/** `0`–`9`, `a`–`f` and `A`–`F`. */
function digit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return (code & 15) + (code >> 6) * 9;
}

function addText(hash: number, text: string): number {
  // The length keeps "a", "bc" and "ab", "c" apart.
  let sum = Math.imul(hash ^ text.length, 0x01000193);
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return sum;
}
