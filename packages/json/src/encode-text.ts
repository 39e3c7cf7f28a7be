import { transcode } from 'node:buffer';
import { backslash, lowerU, zero } from './bytes.ts';
import { controlsIn, quotesIn } from './words.ts';

/** For each byte the letter that stands behind a backslash in its place; 0: it stands there itself. */
const letters = new Uint8Array(256).fill(lowerU, 0, 0x20);
for (const [byte = 0, letter = 0] of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\'].map((pair) => Buffer.from(pair)))
  letters[byte] = letter;

const hexDigits = Buffer.from('0123456789abcdef');
/** Length of the longest escape, `\u0000`. */
const escapeBytes = 6;
/** Shorter texts take as long by `JSON.stringify`. */
const shortLength = 16_384;
/** Bytes that are escaped before there must be room for more; a multiple of four. */
const blockBytes = 16_384;
/** As many as a string may have units. */
const bytesMax = 2 ** 29 - 24;

const encoder = new TextEncoder();

/**
 * The bytes of `before`, of a well-formed text as `JSON.stringify` prints it, and of `after`. It takes two thirds of the CPU of printing and
 * encoding, and less than half for a text that is not Latin-1.
 * @throws {RangeError} for more than 512 MiB
 */
export function encodeText(before: string, text: string, after: string): Uint8Array<ArrayBuffer> {
  if (text.length < shortLength) return encoder.encode(before + JSON.stringify(text) + after);
  const source = utf8Of(text);
  const [beginning, rest] = [Buffer.from(`${before}"`), Buffer.from(`"${after}`)];
  const spareBytes = blockBytes * escapeBytes + rest.length;
  let out: Uint8Array<ArrayBuffer> = Buffer.allocUnsafeSlow(
    beginning.length + source.length + (source.length >> 3) + spareBytes,
  );
  let end = beginning.length;
  out.set(beginning);
  for (let at = 0; at < source.length; at += blockBytes) {
    const needed = end + spareBytes;
    if (needed > bytesMax) throw new RangeError('The text is too long.');
    if (needed > out.length) out = new Uint8Array(out.buffer.transfer(Math.min(2 * needed, bytesMax)));
    end = writeEscaped(source.subarray(at, at + blockBytes), out, end);
  }
  out.set(rest, end);
  return out.subarray(0, end + rest.length);
}

/** Strings of two bytes a unit take a third of the time by way of UTF-16, others twice as much. A pattern knows the others at once. */
function utf8Of(text: string): Uint8Array {
  return /[^\0-\xff]/.test(text) ? transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8') : Buffer.from(text);
}

/** Writes bytes, which begin at a multiple of four, to `start`. Returns the end of what is written. */
function writeEscaped(source: Uint8Array, out: Uint8Array, start: number): number {
  const words = new Int32Array(source.buffer, source.byteOffset, source.length >> 2);
  const outWords = new DataView(out.buffer);
  let end = start;
  for (let place = 0; place < words.length; place++) {
    const word = words[place] as number;
    if ((quotesIn(word) | controlsIn(word)) === 0) {
      outWords.setInt32(end, word, true);
      end += 4;
    } else for (let at = place * 4; at < place * 4 + 4; at++) end = writeByte(source[at] as number, out, end);
  }
  for (let at = words.length * 4; at < source.length; at++) end = writeByte(source[at] as number, out, end);
  return end;
}

function writeByte(byte: number, out: Uint8Array, start: number): number {
  const letter = letters[byte] as number;
  if (letter === 0) {
    out[start] = byte;
    return start + 1;
  }
  out[start] = backslash;
  out[start + 1] = letter;
  if (letter !== lowerU) return start + 2;
  out[start + 2] = zero;
  out[start + 3] = zero;
  out[start + 4] = hexDigits[byte >> 4] as number;
  out[start + 5] = hexDigits[byte & 15] as number;
  return start + escapeBytes;
}
