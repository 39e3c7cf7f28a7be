/** Order of texts by their bytes, as the engine has it: negative, 0 or positive. Pure. */
export function comparedTexts(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return byteRank(left.charCodeAt(at)) - byteRank(right.charCodeAt(at));
}

/** Surrogates stand for characters behind all others; the end of a text, NaN, is before any. */
function byteRank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10_000 : unit;
}
