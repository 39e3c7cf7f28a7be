import { closeBrace } from './bytes.ts';
import { JsonReader } from './json-reader.ts';
import { NameTable } from './name-table.ts';
import type { Span } from './span.ts';

// Changes the text of a JSON object, so that all else stays as it was written. The text must be valid: it was read before.

/**
 * The text with some members set: each in the place of its old value, else after the others. Everything else stays to
 * the last blank and digit. The last of equal names counts. `values` are JSON by name; `names` holds their names, and
 * may hold more.
 */
export function withMembers<Name extends string>(
  objectText: Buffer,
  values: ReadonlyMap<Name, string>,
  names: NameTable<Name>,
): Buffer {
  const { found, isEmpty, end } = findValues(objectText, values, names);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const [name, { start, end: behind }] of [...found].sort(([, a], [, b]) => a.start - b.start)) {
    pieces.push(objectText.subarray(from, start), Buffer.from(values.get(name) ?? ''));
    from = behind;
  }
  const added = [...values]
    .filter(([name]) => !found.has(name))
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const gap = added.length > 0 && !isEmpty ? ',' : '';
  pieces.push(objectText.subarray(from, end), Buffer.from(gap + added.join()), objectText.subarray(end));
  return Buffer.concat(pieces);
}

/** Ranges of the values that exist, and position of the bracket that closes the object. */
function findValues<Name extends string>(
  objectText: Buffer,
  values: ReadonlyMap<Name, string>,
  names: NameTable<Name>,
): { found: Map<Name, Span>; isEmpty: boolean; end: number } {
  const found = new Map<Name, Span>();
  let isEmpty = true;
  const end = eachMember(objectText, names, (name, _start, { start, end: behind }) => {
    isEmpty = false;
    if (name !== null && values.has(name)) found.set(name, { start, end: behind });
  });
  return { found, isEmpty, end };
}

/** The text without the members of these names, however often they occur and however they are escaped, and without blanks around the others. */
export function withoutMembers(objectText: Buffer, names: readonly string[]): Buffer {
  const pieces: Buffer[] = [];
  eachMember(objectText, new NameTable(names), (name, start, { end }) => {
    if (name === null) pieces.push(comma, objectText.subarray(start, end));
  });
  return Buffer.concat([opening, ...pieces.slice(1), closing]);
}

const [opening, comma, closing] = ['{', ',', '}'].map((byte) => Buffer.from(byte)) as [Buffer, Buffer, Buffer];

/**
 * Visits the members of an object: the known name of each or null, its start, and the range of its value. Returns the
 * position of the closing bracket.
 */
function eachMember<Name extends string>(
  objectText: Buffer,
  names: NameTable<Name>,
  visit: (name: Name | null, start: number, value: Span) => void,
): number {
  const reader = new JsonReader(objectText, Infinity);
  reader.next();
  for (let more = reader.enter(1); more; more = reader.hasMore(closeBrace)) {
    const start = reader.at;
    const name = reader.key(names);
    const value = { start: reader.at, end: 0 };
    reader.skip(1);
    value.end = reader.at;
    visit(name, start, value);
  }
  return reader.at - 1;
}

/** The text with one more member at its end. `valueText` is JSON. */
export const appendMember = (objectText: string, name: string, valueText: string): string =>
  appendMembers(objectText, `{${JSON.stringify(name)}:${valueText}}`);

/** The text with the members of another object at its end. `printed` is JSON without blanks. */
export function appendMembers(objectText: string, printed: string): string {
  if (printed === '{}') return objectText;
  const before = objectText.slice(0, objectText.lastIndexOf('}')).trimEnd();
  return `${before}${before.endsWith('{') ? '' : ','}${printed.slice(1)}`;
}
