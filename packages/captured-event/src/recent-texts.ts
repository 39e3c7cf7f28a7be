import { isSameText } from './is-same-text.ts';
import { hashOf } from '@millrace/json/hash.ts';

/** Longer texts are not cached, so that the cache stays small. */
const lengthMax = 64;

/** Texts that were read not long ago. What comes again, like the distinct id of one visit's events, is one text in memory. */
export class RecentTexts {
  readonly #texts: string[];

  /** @param slotsLog2 at most 2 to this power are cached. */
  constructor(slotsLog2: number) {
    this.#texts = Array.from({ length: 2 ** slotsLog2 }, () => '');
  }

  /** The text in `bytes` from `start` to `end`, as UTF-8. */
  read(bytes: Buffer, start: number, end: number): string {
    if (end - start > lengthMax) return bytes.toString('utf8', start, end);
    const slot = hashOf(bytes, start, end) & (this.#texts.length - 1);
    const last = this.#texts[slot] as string;
    return isSameText(last, bytes, start, end) ? last : (this.#texts[slot] = bytes.toString('utf8', start, end));
  }
}
