/**
 * Places where a formula begins in a spreadsheet, by a sign that it takes for one or drops and looks behind (OWASP, "CSV Injection";
 * the last four: full-width). A spreadsheet that divides by `;` or tabs begins a cell behind each of them, and behind each line break of a text.
 */
const beginnings = /^(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])|(?<=[;\t\n\r])(?="?[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
const [quote, semicolon, tab, lineFeed, carriageReturn] = [0x22, 0x3b, 0x09, 0x0a, 0x0d];
const apostrophe = 0x27;

const decides = new Uint8Array(256);
for (const byte of [quote, semicolon, tab, lineFeed, carriageReturn]) decides[byte] = 1;
const isNarrow = new Uint8Array(256);
for (const sign of '=+-@\t\r') isNarrow[sign.charCodeAt(0)] = 1;
/** The last byte of the full-width ones in UTF-8, behind EF BC. */
const isWideEnd = new Uint8Array(256);
for (const end of [0x9d, 0x8b, 0x8d, 0xa0]) isWideEnd[end] = 1;
/** Bytes behind one that decide about it: a doubled quote and the longest sign. */
const lookAhead = 5;

/** A text that a spreadsheet shows as it is. Pure. */
export function withoutFormula(text: string): string {
  return text.replaceAll(beginnings, "'");
}

/** CSV on its way, in whatever pieces. */
export interface FormulaGuard {
  /** Returns the guarded bytes so far, but for a few at the end that more bytes must decide. */
  push(bytes: Buffer): Buffer;
  /** Returns these last few, when no more bytes come. */
  rest(): Buffer;
}

/**
 * Puts `'` where a spreadsheet would begin a formula in a text of CSV (`withoutFormula`). Rows are as ClickHouse writes them: texts
 * stand in quotes, with their own quotes doubled, and nothing else does that could begin so, numbers least of all.
 */
export function createFormulaGuard(): FormulaGuard {
  let held: Buffer = Buffer.alloc(0);
  /** The byte before `held`, and whether it is of a text. */
  let before: number = lineFeed;
  let isInText = false;

  /** Whether a formula begins behind the byte at `at`, which is one of `decides`. */
  function beginsBehind(bytes: Buffer, at: number): boolean {
    if (bytes[at] === quote) {
      isInText = !isInText;
      return isInText && (at === 0 ? before : bytes[at - 1]) !== quote && isSign(bytes, at + 1);
    }
    return isInText && isSign(bytes, bytes[at + 1] === quote && bytes[at + 2] === quote ? at + 3 : at + 1);
  }

  /** Where `'` goes, in bytes of which those from `end` on are only looked at. */
  function places(bytes: Buffer, end: number): number[] {
    const found: number[] = [];
    // Byte by byte: to have each quote found by `indexOf` takes ten times as long where there are many.
    for (let at = 0; at < end; at += 1) {
      if (decides[bytes[at] ?? 0] === 1 && beginsBehind(bytes, at)) found.push(at + 1);
    }
    return found;
  }

  function pass(bytes: Buffer, end: number): Buffer {
    const found = places(bytes, end);
    if (end > 0) before = bytes[end - 1] ?? before;
    held = bytes.subarray(end);
    return marked(bytes.subarray(0, end), found);
  }

  return {
    push(more) {
      const bytes = held.length === 0 ? more : Buffer.concat([held, more]);
      return pass(bytes, Math.max(0, bytes.length - lookAhead));
    },
    rest: () => pass(held, held.length),
  };
}

function isSign(bytes: Buffer, at: number): boolean {
  const byte = bytes[at] ?? 0;
  return isNarrow[byte] === 1 || (byte === 0xef && bytes[at + 1] === 0xbc && isWideEnd[bytes[at + 2] ?? 0] === 1);
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
