/** Longest quotation in code units. */
const quoteLengthMax = 160;
/** So much of a text is looked at for a quotation of it. */
const readLengthMax = 4 * quoteLengthMax;

/**
 * Words of a user on one line: no reference to lines, no marker of the renderer, no control or invisible character. Pure. Signs are
 * replaced, never taken out: what is left cannot close up to another reference.
 */
export function plainWords(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\[(?=\s*L\s*\d)/giu, '(')
    .replace(/<(?=<)/g, '‹')
    .replace(/>(?=>)/g, '›')
    .replace(/[“”]/g, '"')
    .trim();
}

/** The beginning of a text in quotation marks, cut at the border of a word. Pure. */
export function quote(text: string, lengthMax = quoteLengthMax): string {
  return `“${cutWords(plainWords(text.slice(0, readLengthMax)), lengthMax, text.length > readLengthMax)}”`;
}

/** The end of a text in quotation marks. Pure. */
export function quoteEnd(text: string): string {
  const words = plainWords(text.slice(-readLengthMax));
  if (words.length <= quoteLengthMax) return `“${words}”`;
  const end = words
    .slice(-quoteLengthMax)
    .toWellFormed()
    .replace(/^\ufffd/, '');
  const border = end.indexOf(' ');
  return `“…${border >= 0 && border < quoteLengthMax / 2 ? end.slice(border + 1) : end}”`;
}

/** A name of a user, as plain words of at most 60 characters. Pure. */
export function shortName(name: string): string {
  return cutWords(plainWords(name.slice(0, readLengthMax)), 60, false) || 'unnamed';
}

/** Plain words, cut at the border of a word, with an ellipsis where something is left out. */
function cutWords(words: string, lengthMax: number, isMore: boolean): string {
  if (words.length <= lengthMax) return isMore ? `${words}…` : words;
  const beginning = words
    .slice(0, lengthMax)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  const border = beginning.lastIndexOf(' ');
  return `${border > lengthMax / 2 ? beginning.slice(0, border) : beginning}…`;
}
