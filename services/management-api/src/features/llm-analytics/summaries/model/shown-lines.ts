/** A text whose lines have numbers. */
export interface NumberedText {
  readonly text: string;
  /** Number of lines, those that are left out included. */
  readonly lineCount: number;
  /** True: lines are left out. */
  readonly isSampled: boolean;
}

/** Tells whether a line of this number stands in a text. Pure. Only `\n` ends a line: others of a user's text may stand before a number. */
export function shownLines({ text, lineCount, isSampled }: NumberedText): (line: number) => boolean {
  const isLine = (line: number): boolean => line >= 1 && line <= lineCount;
  if (!isSampled) return isLine;
  const numbers = new Set([...text.matchAll(/(?:^|\n)L(\d+): /g)].map(([, number]) => Number(number)));
  return (line) => isLine(line) && numbers.has(line);
}
