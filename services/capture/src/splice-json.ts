/** Where the value of a member lies in the text of a JSON object. */
interface ValueSpan {
  start: number;
  end: number;
}

/**
 * The text of a JSON object with one member set to `valueText`: in the place of its old value, else as the last one.
 * Everything else stays to the last blank and digit. `objectText` must be valid; of equal names the last one counts.
 */
export function withMember(objectText: string, name: string, valueText: string): string {
  const span = findValue(objectText, name);
  if (span !== null) return objectText.slice(0, span.start) + valueText + objectText.slice(span.end);
  const end = objectText.lastIndexOf('}');
  const isEmpty = objectText.slice(objectText.indexOf('{') + 1, end).trim() === '';
  return `${objectText.slice(0, end)}${isEmpty ? '' : ','}${JSON.stringify(name)}:${valueText}${objectText.slice(end)}`;
}

function findValue(text: string, name: string): ValueSpan | null {
  let found: ValueSpan | null = null;
  let at = skipBlanks(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const nameEnd = skipString(text, at);
    const isIt = (JSON.parse(text.slice(at, nameEnd)) as string) === name;
    const start = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const end = skipValue(text, start);
    if (isIt) found = { start, end };
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return found;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** `from` is at the opening quote. */
function skipString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  do {
    const letter = text[at];
    if (letter === '"') {
      at = skipString(text, at);
      continue;
    }
    if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    at++;
  } while (at < text.length && (depth > 0 || !endsValue(text, from, at)));
  return at;
}

/** Outside of all brackets: a number or a word goes on, everything else is over. */
function endsValue(text: string, from: number, at: number): boolean {
  const first = text[from];
  return first === '"' || first === '{' || first === '[' || /[\s,}\]]/.test(text[at] ?? '');
}
