const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const openBracket = 0x5b;
const colon = 0x3a;

/**
 * Counts the values of a JSON text, also of one that is broken: commas, colons and opening brackets outside of strings. So it is
 * known before parsing how many objects, arrays and strings there will be. Stops counting above `most`. Linear in time.
 */
export function countValues(json: string, most: number): number {
  let count = 1;
  for (let at = 0; at < json.length && count <= most; at++) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at);
    else if (code === comma || code === colon || code === openBrace || code === openBracket) count++;
  }
  return count;
}

/** Place of the quote that ends the string begun at `start`, or the end of the text. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
