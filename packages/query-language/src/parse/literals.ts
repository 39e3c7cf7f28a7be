const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  0: '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
};

/**
 * The content of a quoted token: a doubled quote is one quote, known escapes are replaced, and an unknown one keeps its
 * backslash, so that patterns such as '\d' and '50\%' mean what ClickHouse users expect.
 */
export function unescapeQuoted(raw: string, quote: string): string {
  if (!raw.includes('\\') && !raw.includes(quote)) return raw;
  return raw.replace(/\\([\s\S])|(['"`])\2/g, (whole, escaped: string | undefined, doubled: string | undefined) => {
    if (escaped !== undefined) return escapes[escaped] ?? whole;
    return doubled === quote ? quote : whole;
  });
}

/** The content of a part of a template: as of a text in quotes, and `\{` is a brace. */
export function unescapeTemplate(raw: string): string {
  return raw.replace(/\\([\s\S])|''/g, (whole, escaped: string | undefined) =>
    escaped === undefined ? "'" : escaped === '{' ? '{' : (escapes[escaped] ?? whole),
  );
}

/** The value of a number token: a JavaScript number where that is exact, else the integer's own digits as text. */
export function numberValue(token: string): number | string {
  const plainInteger = /^\d+$/.test(token);
  if (!plainInteger && !/^0[xXbB]/.test(token)) return Number(token);
  const exact = BigInt(plainInteger ? token.replace(/^0+(?=\d)/, '') : token);
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact.toString();
}
