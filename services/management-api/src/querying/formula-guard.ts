/** Signs that begin a formula in a spreadsheet, or that it drops and looks behind (OWASP, "CSV Injection"); the last four: full-width. */
const beginnings = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const [quote, comma, lineFeed] = [0x22, 0x2c, 0x0a];
const apostrophe = 0x27;

const isNarrow = new Uint8Array(256);
for (const sign of '=+-@\t\r') isNarrow[sign.charCodeAt(0)] = 1;
/** The last byte of the full-width ones in UTF-8, behind EF BC. */
const isWideEnd = new Uint8Array(256);
for (const end of [0x9d, 0x8b, 0x8d, 0xa0]) isWideEnd[end] = 1;
/** A quote and the longest beginning: so much may be cut in two by the end of a piece. */
const lookAhead = 4;

/** A text that a spreadsheet shows as it is. Pure. */
export function withoutFormula(text: string): string {
  return beginnings.test(text) ? `'${text}` : text;
}

/** CSV on its way, in whatever pieces. */
export interface FormulaGuard {
  /** Returns the guarded bytes so far, but for a few at the end that more bytes must decide. */
  push(bytes: Buffer): Buffer;
  /** Returns these last few, when no more bytes come. */
  rest(): Buffer;
}

/**
 * Puts `'` before what a text of CSV begins with, when a spreadsheet would take that as a formula. Rows are as ClickHouse writes them:
 * texts stand in quotes, and nothing else does that could begin so, numbers least of all. In a quoted text each quote is doubled, so
 * a comma or a line break, a single quote and then one of those signs are the beginning of a text, wherever they stand.
 */
export function createFormulaGuard(): FormulaGuard {
  let held: Buffer = Buffer.alloc(0);
  /** The byte before `held`: rows begin as if behind a line break. */
  let before: number = lineFeed;

  /** Where `'` goes, in bytes of which those from `end` on are only looked at. */
  function places(bytes: Buffer, end: number): number[] {
    const found: number[] = [];
    // Byte by byte: to have each quote found by `indexOf` takes ten times as long where there are many.
    for (let at = 0; at < end; at += 1) {
      if (bytes[at] !== quote) continue;
      const next = bytes[at + 1] ?? 0;
      if (isNarrow[next] !== 1 && !(next === 0xef && bytes[at + 2] === 0xbc && isWideEnd[bytes[at + 3] ?? 0] === 1)) continue;
      const last = at === 0 ? before : bytes[at - 1];
      if (last === comma || last === lineFeed) found.push(at + 1);
    }
    return found;
  }

  function pass(bytes: Buffer, end: number): Buffer {
    const found = places(bytes, end);
    if (end > 0) before = bytes[end - 1] ?? before;
    held = bytes.subarray(end);
    return found.length === 0 ? bytes.subarray(0, end) : marked(bytes.subarray(0, end), found);
  }

  return {
    push(more) {
      const bytes = held.length === 0 ? more : Buffer.concat([held, more]);
      const last = bytes.lastIndexOf(quote);
      return pass(bytes, last !== -1 && bytes.length - last < lookAhead ? last : bytes.length);
    },
    rest: () => pass(held, held.length),
  };
}

/** The bytes with `'` at these places. */
function marked(bytes: Buffer, found: readonly number[]): Buffer {
  const made = Buffer.allocUnsafe(bytes.length + found.length);
  let from = 0;
  for (const [index, place] of found.entries()) {
    bytes.copy(made, from + index, from, place);
    made[place + index] = apostrophe;
    from = place;
  }
  bytes.copy(made, from + found.length, from);
  return made;
}
