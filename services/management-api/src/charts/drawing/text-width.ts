import { cleanText } from './svg.ts';

const narrow = /[ijlIftr.,:;'|!()[\]{}/\\ -]/;
const wide = /[mwMW@%]/;
const invisible = /\p{Mark}|\p{Cf}/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const fullWidth =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Width of bold text beside that of plain text. */
export const boldFactor = 1.15;

/** Estimated width of a text in pixels. It errs to the large side: the reader's font is not known here. */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) ems += asciiEms[character.charCodeAt(0)] ?? emsOf(character);
  return ems * size;
}

function emsOf(character: string): number {
  if (invisible.test(character)) return 0;
  if (narrow.test(character)) return 0.38;
  if (wide.test(character)) return 0.95;
  if (fullWidth.test(character)) return 1.05;
  return character >= 'A' && character <= 'Z' ? 0.7 : 0.6;
}

// Axes of thousands of labels are measured.
const asciiEms = Array.from({ length: 128 }, (_, code) => emsOf(String.fromCharCode(code)));

/** Text that fits into a width by estimate: cleaned, its end replaced by an ellipsis where it is too long. */
export function fitted(text: string, size: number, widthMax: number): string {
  // Nothing that is wider is looked at: a label may have megabytes.
  const clean = cleanText(text.slice(0, 400)).trim();
  if (text.length <= 400 && textWidth(clean, size) <= widthMax) return clean;
  let width = 0.9 * size;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en').segment(clean)) {
    width += textWidth(segment, size);
    if (width > widthMax) break;
    kept += segment;
  }
  // The mark keeps the ellipsis at the end of a text that is read from right to left.
  return `${kept.trimEnd()}…${rightToLeft.test(kept.trimEnd().slice(-1)) ? '\u200f' : ''}`;
}
