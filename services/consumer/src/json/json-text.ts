// Changes a JSON object as text, so that what the client wrote stays as it was written. Every function expects the text
// of a valid object (it was parsed before).

/** The text with one more member at its end. `valueText` is JSON. */
export function appendMember(text: string, name: string, valueText: string): string {
  const end = text.lastIndexOf('}');
  const before = text.slice(0, end).trimEnd();
  return `${before}${before.endsWith('{') ? '' : ','}${JSON.stringify(name)}:${valueText}}`;
}

/** The text without the top-level members of these names, however often they occur and however they are escaped. */
export function removeMembers(text: string, names: ReadonlySet<string>): string {
  const kept: string[] = [];
  let at = skipBlank(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const start = at;
    const nameEnd = endOfString(text, at);
    at = endOfValue(text, skipBlank(text, skipBlank(text, nameEnd) + 1));
    if (!names.has(memberName(text, start, nameEnd))) kept.push(text.slice(start, at));
    at = skipBlank(text, at);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  return `{${kept.join(',')}}`;
}

function memberName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  return name.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : name;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** Position behind the closing quote of the string that opens at `from`. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  throw new SyntaxError('JSON text ends inside a string');
}

/** Position behind the value that begins at `from`. */
function endOfValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return endOfString(text, from);
  if (first !== '{' && first !== '[') return endOfScalar(text, from);
  let depth = 0;
  for (let at = from; at < text.length; ) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    at++;
    if (depth === 0) return at;
  }
  throw new SyntaxError('JSON text ends inside a value');
}

function endOfScalar(text: string, from: number): number {
  const end = /[,}\]\s]/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}
