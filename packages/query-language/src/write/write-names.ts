import { reservedAsAlias, reservedAsFunction } from '../parse/words.ts';

const plain = /^[A-Za-z_$][\w$]*$/;

/** Words that mean something of their own where a column could stand, beside those that the grammar reserves. */
const constants: ReadonlySet<string> = new Set(['inf', 'nan', 'infinity', 'recursive']);

/** Words that begin a form of their own before a bracket. */
const forms: ReadonlySet<string> = new Set(['columns', 'values', 'interval', 'cast', 'try_cast']);

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\0': '\\0',
};

/** A text between these quotes, on one line, as the lexer reads it. */
export function quoted(text: string, quote: "'" | '"' | '`' = "'"): string {
  const escaped = text.replace(
    /[\\\x07\b\f\n\r\t\v\0'"`]/g,
    (sign) => escapes[sign] ?? (sign === quote ? `\\${sign}` : sign),
  );
  return `${quote}${escaped}${quote}`;
}

/** A name that stands alone or before a dot: of a column, a table, an alias. */
export function writeName(name: string): string {
  const word = name.toLowerCase();
  return plain.test(name) && !reservedAsAlias.has(word) && !constants.has(word) ? name : quoted(name, '`');
}

/** A name after a dot. There the grammar reserves nothing. */
export function writeMember(name: string): string {
  return plain.test(name) ? name : quoted(name, '`');
}

/** The name of a function. */
export function writeFunctionName(name: string): string {
  const word = name.toLowerCase();
  return plain.test(name) && !reservedAsFunction.has(word) && !forms.has(word) ? name : quoted(name, '`');
}

/** Names in brackets: `(a, b)`. */
export function writeNames(names: readonly string[]): string {
  return `(${names.map(writeName).join(', ')})`;
}
