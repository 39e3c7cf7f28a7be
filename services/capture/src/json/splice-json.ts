import { JsonReader } from './json-reader.ts';
import { changedMembers, type ChangedName } from './known-members.ts';
import type { Span } from './scan-body.ts';

const closeBrace = 0x7d;

/** Members of an object and the JSON text that each gets. */
export type ChangedMembers = ReadonlyMap<ChangedName, string>;

/**
 * The text of a JSON object with some members set: each in the place of its old value, else behind the others. Everything
 * else stays to the last blank and digit. The text must be valid; of equal names the last one counts. One pass, whatever is set.
 */
export function withMembers(objectText: Buffer, values: ChangedMembers): Buffer {
  const { found, isEmpty, end } = findValues(objectText, values);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const [name, { start, end: behind }] of [...found].sort(([, a], [, b]) => a.start - b.start)) {
    pieces.push(objectText.subarray(from, start), Buffer.from(values.get(name) ?? ''));
    from = behind;
  }
  const added = [...values].filter(([name]) => !found.has(name)).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  const gap = added.length > 0 && !isEmpty ? ',' : '';
  pieces.push(objectText.subarray(from, end), Buffer.from(gap + added.join()), objectText.subarray(end));
  return Buffer.concat(pieces);
}

/** Where the values lie that there are, and the bracket that closes the object. */
function findValues(objectText: Buffer, values: ChangedMembers): { found: Map<ChangedName, Span>; isEmpty: boolean; end: number } {
  const reader = new JsonReader(objectText, Infinity);
  const found = new Map<ChangedName, Span>();
  reader.next();
  let more = reader.enter(1);
  const isEmpty = !more;
  while (more) {
    const name = reader.key(changedMembers);
    const start = reader.at;
    reader.skip(1);
    if (name !== null && values.has(name)) found.set(name, { start, end: reader.at });
    more = reader.hasMore(closeBrace);
  }
  return { found, isEmpty, end: reader.at - 1 };
}
