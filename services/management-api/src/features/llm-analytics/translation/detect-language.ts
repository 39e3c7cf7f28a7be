import { detect } from 'tinyld/light';

/** Shorter texts are not guessed: too often wrong. */
const lettersMin = 40;
/** More text changes no guess; hostile text of this length takes some 15 ms, and of 10,000 characters 100 ms. */
const lengthMax = 1000;

/** The language that a text of 40 letters or more seems to be in, such as `de` (ISO 639-1); else null. Pure. */
export function detectLanguage(text: string): string | null {
  const start = text.slice(0, lengthMax);
  if ((start.match(/\p{L}/gu) ?? []).length < lettersMin) return null;
  return detect(start) || null;
}
