const openBrace = 0x7b;
const openBracket = 0x5b;
const blank = 0x20;
const plus = 0x2b;
const percent = 0x25;
const ampersand = 0x26;
const equals = 0x3d;

/** Number of leading bytes that decide whether a text is base64 (contract/capture 1.3). */
const base64SampleBytes = 128;

/** The smallest event is longer; `null` and `true` are JSON. */
const base64BytesMin = 8;

/** Indexed by byte: the alphabets of base64 and base64url, with padding. */
const base64Alphabet = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Most blanks before and after a text that are skipped. No client sends more, and a body may hold only blanks. */
const outerBlanksMax = 1_024;

/** True when the first byte after blanks and a byte order mark opens an object or an array: no other form of a body starts so. */
export function startsLikeJson(bytes: Buffer): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < outerBlanksMax && isJsonBlank(bytes[at])) at++;
  return bytes[at] === openBrace || bytes[at] === openBracket;
}

function isJsonBlank(byte: number | undefined): boolean {
  return byte === blank || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Base64, as far as its beginning shows: the first 128 bytes are of its alphabet, and the length without trailing blanks is a multiple of 4. */
export function looksLikeBase64(bytes: Buffer): boolean {
  let end = bytes.length;
  while (end > 0 && bytes.length - end < outerBlanksMax && isJsonBlank(bytes[end - 1])) end--;
  if (end < base64BytesMin || end % 4 !== 0) return false;
  for (let at = 0; at < end && at < base64SampleBytes; at++)
    if (base64Alphabet[bytes[at] as number] === 0) return false;
  return true;
}

/** Decodes base64; characters outside both alphabets are skipped. */
export function fromBase64(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1'), 'base64');
}

/** Form decoding makes a blank of each unescaped `+`; in base64 there are no blanks, so they were pluses. */
export function withPlusForBlank(bytes: Buffer): Buffer {
  if (!bytes.includes(blank)) return bytes;
  const restored = Buffer.from(bytes);
  // A search for the next one each time took 30 ns a blank: 2 s for a body of nothing else.
  for (let at = 0; at < restored.length; at++) if (restored[at] === blank) restored[at] = plus;
  return restored;
}

/** True for a text that starts with a field of the forms that old clients send (contract/capture 1.3). */
export function startsLikeForm(bytes: Buffer): boolean {
  return formStarts.some(
    (start) => bytes.length >= start.length && bytes.compare(start, 0, start.length, 0, start.length) === 0,
  );
}

const formStarts = ['data=', '_=', 'ip=', 'compression='].map((start) => Buffer.from(start));

/** Fields of a form or a query string that capture reads. */
export interface FormFields {
  /** Bytes, because it may hold anything. */
  data: Buffer | null;
  compression: string | null;
}

/** Old clients send five fields. */
const fieldsMax = 1_000;

/**
 * Reads a form (`application/x-www-form-urlencoded`), up to 1,000 fields of it. Of equal names the first one counts; what is no
 * escape stays as it is.
 */
export function readForm(bytes: Buffer): FormFields {
  const fields: FormFields = { data: null, compression: null };
  for (let start = 0, count = 0; start <= bytes.length && count < fieldsMax; count++) {
    const next = bytes.indexOf(ampersand, start);
    const end = next < 0 ? bytes.length : next;
    const gap = gapIn(bytes, start, end);
    const name = gap >= 0 ? bytes.toString('latin1', start, gap) : '';
    if (name === 'data') fields.data ??= percentDecoded(bytes.subarray(gap + 1, end));
    if (name === 'compression') fields.compression ??= percentDecoded(bytes.subarray(gap + 1, end)).toString('latin1');
    start = end + 1;
  }
  return fields;
}

/**
 * End of the name of a field, if it may be one that is read; else -1. Searches no further than such a name can reach: a
 * body of `&` without `=` would else be searched from each `&` to its end.
 */
function gapIn(bytes: Buffer, start: number, end: number): number {
  const last = Math.min(end, start + 'compression'.length + 1);
  for (let at = start; at < last; at++) if (bytes[at] === equals) return at;
  return -1;
}

function percentDecoded(bytes: Buffer): Buffer {
  if (!bytes.includes(percent) && !bytes.includes(plus)) return bytes;
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const value = byte === percent ? hexValue(bytes, at + 1) : -1;
    if (value >= 0) at += 2;
    decoded[length++] = value >= 0 ? value : byte === plus ? blank : byte;
  }
  return decoded.subarray(0, length);
}

/** The byte of two hexadecimal digits; -1 when they are not digits. */
function hexValue(bytes: Buffer, at: number): number {
  const high = hexDigit(bytes[at]);
  const low = hexDigit(bytes[at + 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
