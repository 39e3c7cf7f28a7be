const opening = /([uU]|[rR])?("""|'''|"|')/y;

const simpleEscapes: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Digits after `\x`, `\u` and `\U`. */
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * The string literal of Python that begins at `start`, and the position after it; null when none begins or ends there. Bytes,
 * formatted strings and characters by their names (`\N`) are none for us.
 */
export function pythonString(text: string, start: number): { value: string; end: number } | null {
  opening.lastIndex = start;
  const [whole = '', prefix = '', quotes = ''] = opening.exec(text) ?? [];
  if (whole === '') return null;
  const from = start + whole.length;
  const end = closingAt(text, from, quotes);
  if (end < 0) return null;
  const inside = text.slice(from, end);
  if (quotes.length === 1 && /(?<!\\)[\n\r]/.test(inside)) return null;
  const value = prefix.toLowerCase() === 'r' || !inside.includes('\\') ? inside : unescaped(inside);
  return value === null ? null : { value, end: end + quotes.length };
}

/** Position of the closing quotes, or -1. */
function closingAt(text: string, from: number, quotes: string): number {
  let at = from;
  for (;;) {
    const end = text.indexOf(quotes, at);
    if (end < 0) return -1;
    let backslashes = 0;
    while (end - 1 - backslashes >= from && text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
    at = end + 1;
  }
}

/** Null when an escape is wrong. A backslash that begins none stays, as in Python. */
function unescaped(inside: string): string | null {
  let value = '';
  let at = 0;
  for (;;) {
    const backslash = inside.indexOf('\\', at);
    if (backslash < 0) return value + inside.slice(at);
    value += inside.slice(at, backslash);
    const escape = escapeAt(inside, backslash + 1);
    if (escape === null) return null;
    value += escape.value;
    at = escape.end;
  }
}

function escapeAt(inside: string, at: number): { value: string; end: number } | null {
  const letter = inside[at] ?? '';
  const simple = simpleEscapes[letter];
  if (simple !== undefined) return { value: simple, end: at + 1 };
  const digits = hexDigits[letter];
  if (digits !== undefined) {
    const hex = inside.slice(at + 1, at + 1 + digits);
    const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Infinity;
    return code > 0x10ffff ? null : { value: String.fromCodePoint(code), end: at + 1 + digits };
  }
  if (letter === 'N') return null;
  const octal = /^[0-7]{1,3}/.exec(inside.slice(at, at + 3))?.[0];
  if (octal !== undefined) return { value: String.fromCharCode(Number.parseInt(octal, 8)), end: at + octal.length };
  return { value: `\\${letter}`, end: at + 1 };
}
