/** A text without the `end` that it ends with, however often, in linear time: a pattern such as `/x+$/` tries each run of x in it. Pure. */
export function withoutEnd(text: string, end: string): string {
  let length = text.length;
  while (length > 0 && text.endsWith(end, length)) length -= end.length;
  return text.slice(0, length);
}
