/** Range of bytes: the first byte, and the byte after the last. */
export interface Span {
  start: number;
  end: number;
}

/** Range of the text of a value that `JsonReader` read. It is recorded when the parsed value may say less than its text: objects, arrays, and numbers that lose digits. */
export interface ValueText extends Span {
  name: string;
  /** True for a member that `pick` took out, false for one of `read`. */
  isPicked: boolean;
}
