// Line ends and tabs are the answer's own; all else of these would be read by the terminal, or turns what is read around.
const acting = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu;
const ending = /[\n\t]/g;

/**
 * The text as a terminal may be given it: what senders and tenants wrote (names, labels, pieces of events) moves no cursor, changes no
 * title and hides nothing of what stands there. Such characters are spelt `\u001b`, so that JSON means what it meant. Pure.
 */
export function forTerminal(text: string): string {
  return text.replaceAll(acting, spelt);
}

/** A value that a sender or a tenant wrote, to stand within a line of an answer: it ends no line, so that it cannot forge one of ours. Pure. */
export function oneLine(value: string): string {
  return forTerminal(value).replaceAll(ending, spelt);
}

const spelt = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
