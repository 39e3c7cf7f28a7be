import { editDistance } from './nearest-name.ts';

interface Names {
  of: readonly string[];
  lower: readonly string[];
  signs: Int32Array;
  /** Places of the names that have so many letters. */
  byLength: ReadonlyMap<number, readonly number[]>;
}

// Names that are looked at letter by letter, the least different signs first seen.
const comparedMax = 400;
const lengthMax = 64;
const known = new WeakMap<object, Names>();

/**
 * The one of thousands of names that a misspelt one was probably meant to be: the same with a `$`, else as `nearestName`. `names` is the
 * same list as long as it holds the same names: what is made of it is kept beside it.
 */
export function nearestOfMany<Entry extends string | { name: string }>(
  wanted: string,
  names: readonly Entry[],
): string | undefined {
  const { of, lower, signs, byLength } = indexOf(names);
  const sought = wanted.toLowerCase().slice(0, lengthMax);
  const [mask, most] = [signsOf(sought), Math.floor(sought.length / 3)];
  const dollar = (byLength.get(sought.length + 1) ?? []).find((at) => lower[at] === `$${sought}`);
  if (dollar !== undefined) return of[dollar];
  let [best, bestDistance, compared] = [undefined as string | undefined, most + 1, 0];
  for (let off = 0; off < bestDistance; off += 1)
    for (const length of off === 0 ? [sought.length] : [sought.length - off, sought.length + off])
      for (const at of byLength.get(length) ?? []) {
        // A letter that is replaced changes two signs at most, one that is added or left out changes one.
        if (ones(mask ^ (signs[at] as number)) > 2 * (bestDistance - 1)) continue;
        if (compared++ > comparedMax) return best;
        const distance = editDistance(sought, lower[at] as string);
        if (distance < bestDistance) [best, bestDistance] = [of[at], distance];
      }
  return best;
}

function indexOf(entries: readonly (string | { name: string })[]): Names {
  const found = known.get(entries);
  if (found) return found;
  const of = entries.map((entry) => (typeof entry === 'string' ? entry : entry.name));
  const lower = of.map((name) => name.toLowerCase().slice(0, lengthMax));
  const names = {
    of,
    lower,
    signs: Int32Array.from(lower, signsOf),
    byLength: Map.groupBy(lower.keys(), (at) => (lower[at] as string).length),
  };
  known.set(entries, names);
  return names;
}

function signsOf(text: string): number {
  let signs = 0;
  for (let at = 0; at < text.length; at += 1) signs |= 1 << (text.charCodeAt(at) & 31);
  return signs;
}

function ones(bits: number): number {
  let [count, left] = [0, bits];
  for (; left !== 0; left &= left - 1) count += 1;
  return count;
}
