/**
 * Characters with which a name does more than name: control characters and line ends, marks that turn the direction of text
 * around, and others that nobody sees. Joiners that scripts and emoji need are not among them.
 */
const acting = String.raw`\p{Cc}\p{Zl}\p{Zp}`;
const unseen = String.raw`\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}`;
const actingRuns = new RegExp(`[${acting}]+`, 'gu');
/**
 * Invisible characters that visible text needs: the tags after a black flag that spell the flag of a region; blanks of no width, which
 * divide words in scripts without blanks (keyboards for Khmer type them); the separator within Mongolian words.
 */
const unspaced = String.raw`[\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Thai}]`;
const needed = String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}|(?<=${unspaced})\u200b(?=${unspaced})|(?<=\p{Script=Mongolian})\u180e(?=\p{Script=Mongolian})`;
const allNeeded = new RegExp(needed, 'gu');
const neededOrUnseen = new RegExp(`(${needed})|[${unseen}]`, 'gu');
const anyOfThem = new RegExp(`[${acting}${unseen}]`, 'u');

/** True when the text is what it looks like, on one line: nothing in it makes a line, turns others around or hides. Pure. */
export function isPlainLine(text: string): boolean {
  return !anyOfThem.test(text) || !anyOfThem.test(text.replaceAll(allNeeded, ''));
}

/** The text as a plain line, for what was stored unchecked: each run of control characters and line ends is one blank, what is not seen is gone. Pure. */
export function plainLine(text: string): string {
  return text
    .replaceAll(actingRuns, ' ')
    .replaceAll(neededOrUnseen, (_, kept?: string) => kept ?? '')
    .trim();
}

/** Error message for a text that is not a plain line. */
export const plainLineDetail =
  'Line breaks, control characters, and marks that nobody sees or that turn text around are not allowed here.';
