/** A text whose lines have numbers. */
export interface NumberedText {
  readonly text: string;
  /** Number of lines, those that are left out included. */
  readonly lineCount: number;
  /** True: lines are left out. */
  readonly isSampled: boolean;
}

/** Tells whether a line of this number stands in a text. Pure. */
export function shownLines({ text, lineCount, isSampled }: NumberedText): (line: number) => boolean {
  if (!isSampled) return (line) => line >= 1 && line <= lineCount;
  const numbers = new Set([...text.matchAll(/^L(\d+): /gm)].map(([, number]) => Number(number)));
  return (line) => numbers.has(line);
}
