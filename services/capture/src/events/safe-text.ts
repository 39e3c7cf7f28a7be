/** Number of Unicode code points. */
export function codePointCount(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length - 1; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      pairs++;
      index++;
    }
  }
  return text.length - pairs;
}

/** True when there are more than `max` code points; counts only when the length leaves it open. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || codePointCount(text) > max;
}

/** The first `max` code points; never half of a surrogate pair. */
export function firstCodePoints(text: string, max: number): string {
  let index = 0;
  for (let count = 0; count < max && index < text.length; count++) {
    const pair = isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
    index += pair ? 2 : 1;
  }
  return text.slice(0, index);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const boundedBytesMax = 200;
const ellipsis = '…';

/** At most 200 bytes of UTF-8, with an ellipsis when something was cut (contract/capture 4.7). */
export function bounded(text: string): string {
  if (Buffer.byteLength(text) <= boundedBytesMax) return text;
  const bytes = Buffer.from(text);
  let end = boundedBytesMax - Buffer.byteLength(ellipsis);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end) + ellipsis;
}
