/**
 * Positions where a spreadsheet begins a formula (OWASP, "CSV Injection"): before one of its signs, or before a character that it drops in
 * front of a sign. The last four are full-width signs. A spreadsheet that separates by `;` or tabs begins a cell after each of them, and
 * after each line break of a text.
 */
const beginnings = /^(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])|(?<=[;\t\n\r])(?="?[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
const [quote, semicolon, tab, lineFeed, carriageReturn] = [0x22, 0x3b, 0x09, 0x0a, 0x0d];
const apostrophe = 0x27;

const decides = new Uint8Array(256);
for (const byte of [quote, semicolon, tab, lineFeed, carriageReturn]) decides[byte] = 1;
const isNarrow = new Uint8Array(256);
for (const sign of '=+-@\t\r') isNarrow[sign.charCodeAt(0)] = 1;
/** Last byte of the full-width signs in UTF-8, after EF BC. */
const isWideEnd = new Uint8Array(256);
for (const end of [0x9d, 0x8b, 0x8d, 0xa0]) isWideEnd[end] = 1;
/** Bytes after a byte that can decide about it: a doubled quote and the longest sign. */
const lookAhead = 5;

/** The text with `'` before each formula, so that a spreadsheet shows it as text. Pure. */
export function withoutFormula(text: string): string {
  return text.replaceAll(beginnings, "'");
}

/** Guards a stream of CSV, cut into any chunks. */
export interface FormulaGuard {
  /** Returns the guarded bytes so far, without the last few, which depend on the next chunk. */
  push(bytes: Buffer): Buffer;
  /** Returns the last few bytes. Called at the end. */
  rest(): Buffer;
}

/**
 * Puts `'` where a spreadsheet would begin a formula in a text of CSV (`withoutFormula`). Rows must be as ClickHouse writes them: texts in
 * quotes, with quotes inside doubled. Values without quotes are numbers and the like, and stay as they are.
 */
export function createFormulaGuard(): FormulaGuard {
  let held: Buffer = Buffer.alloc(0);
  /** The byte before `held`; `isInText`: it belongs to a text. */
  let before: number = lineFeed;
  let isInText = false;

  /** True when a formula begins after the byte at `at`, which is one of `decides`. */
  function beginsAfter(bytes: Buffer, at: number): boolean {
    if (bytes[at] === quote) {
      isInText = !isInText;
      return isInText && (at === 0 ? before : bytes[at - 1]) !== quote && isSign(bytes, at + 1);
    }
    return isInText && isSign(bytes, bytes[at + 1] === quote && bytes[at + 2] === quote ? at + 3 : at + 1);
  }

  /** Offsets for `'` before `end`; the bytes from `end` on are look-ahead. */
  function formulaOffsets(bytes: Buffer, end: number): number[] {
    const found: number[] = [];
    // Byte by byte: `indexOf` for each quote takes ten times as long where there are many.
    for (let at = 0; at < end; at += 1) {
      if (decides[bytes[at] ?? 0] === 1 && beginsAfter(bytes, at)) found.push(at + 1);
    }
    return found;
  }

  function guard(bytes: Buffer, end: number): Buffer {
    const found = formulaOffsets(bytes, end);
    if (end > 0) before = bytes[end - 1] ?? before;
    held = bytes.subarray(end);
    return withApostrophes(bytes.subarray(0, end), found);
  }

  return {
    push(more) {
      const bytes = held.length === 0 ? more : Buffer.concat([held, more]);
      return guard(bytes, Math.max(0, bytes.length - lookAhead));
    },
    rest: () => guard(held, held.length),
  };
}

function isSign(bytes: Buffer, at: number): boolean {
  const byte = bytes[at] ?? 0;
  return isNarrow[byte] === 1 || (byte === 0xef && bytes[at + 1] === 0xbc && isWideEnd[bytes[at + 2] ?? 0] === 1);
}

/** The bytes with `'` at these offsets. */
function withApostrophes(bytes: Buffer, found: readonly number[]): Buffer {
  const made = Buffer.allocUnsafe(bytes.length + found.length);
  let from = 0;
  for (const [index, offset] of found.entries()) {
    bytes.copy(made, from + index, from, offset);
    made[offset + index] = apostrophe;
    from = offset;
  }
  bytes.copy(made, from + found.length, from);
  return made;
}
