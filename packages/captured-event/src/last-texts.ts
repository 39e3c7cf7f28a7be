import { isSameText } from './is-same-text.ts';

/** The last text of each name. Objects that come one after the other mostly share some of them: one text in memory will do. */
export class LastTexts {
  readonly #texts: string[];

  constructor(names: number) {
    this.#texts = Array.from({ length: names }, () => '');
  }

  /** The text in `bytes` from `start` to `end`, as UTF-8. */
  read(name: number, bytes: Buffer, start: number, end: number): string {
    const last = this.#texts[name] as string;
    return isSameText(last, bytes, start, end) ? last : (this.#texts[name] = bytes.toString('utf8', start, end));
  }
}
