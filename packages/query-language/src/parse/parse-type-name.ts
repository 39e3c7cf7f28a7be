import type { Cursor } from './cursor.ts';

/**
 * Parses a type (`Int`, `Array(Nullable(String))`, `DateTime64(6, 'UTC')`) into its text, words in lower case, as the published tree has it.
 * `text[]` is `array(text)`.
 */
export function parseTypeName(cursor: Cursor): string {
  let name = parseItemName(cursor);
  while (cursor.isSign('[') && cursor.isSign(']', 1)) {
    cursor.next();
    cursor.next();
    name = `array(${name})`;
  }
  return name;
}

function parseItemName(cursor: Cursor): string {
  return cursor.nested(() => {
    const token = cursor.next();
    if (token.kind !== 'word' && token.kind !== 'name') throw cursor.unexpected('a type');
    let name = token.text.toLowerCase();
    if (name === 'double' && cursor.takeWords('precision')) name += ' precision';
    if (!cursor.takeSign('(')) return name;
    const parts: string[] = [];
    do parts.push(parseTypeArgument(cursor));
    while (cursor.takeSign(','));
    cursor.expectSign(')');
    return `${name}(${parts.join(', ')})`;
  });
}

function parseTypeArgument(cursor: Cursor): string {
  const token = cursor.peek();
  if (token.kind === 'number' || token.kind === 'string') {
    cursor.next();
    return cursor.text.slice(token.start, token.end);
  }
  const name = parseTypeName(cursor);
  return cursor.peek().kind === 'word' ? `${name} ${parseTypeName(cursor)}` : name;
}
