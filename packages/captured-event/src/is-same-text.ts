/**
 * True when `bytes` hold the text from `start` to `end` and it is ASCII; false for every other text, be it the same or
 * not.
 */
export function isSameText(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at++) {
    const byte = bytes[start + at] as number;
    if (byte > 127 || text.charCodeAt(at) !== byte) return false;
  }
  return true;
}
