// Line ends and tabs are the answer's own; all else of these would be read by the terminal, or turns what is read around.
const acting = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The text as a terminal may be given it: what senders and tenants wrote (names, labels, pieces of events) moves no cursor, changes no
 * title and hides nothing of what stands there. Such characters are spelt `\u001b`, so that JSON means what it meant. Pure.
 */
export function forTerminal(text: string): string {
  return text.replaceAll(acting, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
