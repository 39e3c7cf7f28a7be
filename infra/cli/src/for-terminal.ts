// Control characters other than line ends and tabs, and the characters that change the direction of text.
const control = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu;
const lineEnd = /[\n\t]/g;

/**
 * The text with control characters escaped. Texts of senders and tenants (names, labels, parts of events) cannot move the cursor, change
 * the title or hide other text. The escapes look like `\u001b`, so that JSON keeps its meaning. Pure.
 */
export function forTerminal(text: string): string {
  return text.replaceAll(control, escaped);
}

/** A value of a sender or tenant, for use within one line: its line ends are escaped, so that it cannot forge another line. Pure. */
export function oneLine(value: string): string {
  return forTerminal(value).replaceAll(lineEnd, escaped);
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
