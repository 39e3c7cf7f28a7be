import { hashOf } from './name-table.ts';

/** Longer texts are made anew each time: what is remembered stays small. */
const lengthMax = 64;

/** Texts that were read not long ago. What comes again, like the distinct id of one visit's events, is one text in memory. */
export class RecentTexts {
  readonly #texts: string[];

  /** @param slotsLog2 at most 2 to this power are remembered. */
  constructor(slotsLog2: number) {
    this.#texts = Array.from({ length: 2 ** slotsLog2 }, () => '');
  }

  /** The text that stands in `bytes` from `start` to `end`, as UTF-8. */
  read(bytes: Buffer, start: number, end: number): string {
    if (end - start > lengthMax) return bytes.toString('utf8', start, end);
    const slot = hashOf(bytes, start, end) & (this.#texts.length - 1);
    const last = this.#texts[slot] as string;
    return isSame(last, bytes, start, end) ? last : (this.#texts[slot] = bytes.toString('utf8', start, end));
  }
}

/** True for equal texts of ASCII; anything else just costs another text. */
function isSame(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at++) {
    const byte = bytes[start + at] as number;
    if (byte > 127 || text.charCodeAt(at) !== byte) return false;
  }
  return true;
}
