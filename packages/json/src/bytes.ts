// The bytes that JSON is made of.

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const plus = 0x2b;
export const minus = 0x2d;
export const dot = 0x2e;
export const zero = 0x30;
const nine = 0x39;
export const space = 0x20;
export const openBrace = 0x7b;
export const openBracket = 0x5b;
export const closeBrace = 0x7d;
export const closeBracket = 0x5d;
export const lowerE = 0x65;
export const lowerU = 0x75;

/** `[` and `{` differ in this bit alone, and so do `]` and `}`, and upper and lower case of a letter. */
export const bracketBit = 0x20;

export function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

/** Digits, signs, the point, and the letter of an exponent. */
export function isOfNumber(byte: number): boolean {
  return isDigit(byte) || byte === dot || byte === minus || byte === plus || (byte | bracketBit) === lowerE;
}
