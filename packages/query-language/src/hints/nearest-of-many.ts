/** Names in lower case, with the letters of each: how many there are of each kind of 32. */
interface Names {
  of: readonly string[];
  lower: readonly string[];
  letters: Uint8Array;
  /** A bit for each kind that there is. */
  signs: Int32Array;
}

const lengthMax = 64;
const kinds = 32;
/** Names that are compared letter by letter, those with the likest letters first. */
const comparedMax = 100;
/** Among thousands of names one with more mistakes is hardly the one that was meant. */
const mistakesMax = 3;
const known = new WeakMap<object, Names>();

/**
 * The one of thousands of names that a misspelt one was probably meant to be: the same with a `$`, else the one with the fewest letters
 * wrong, at most three and a third of them, case aside. `names` is the same list as long as it holds the same names: what is made of it is kept.
 */
export function nearestOfMany(wanted: string, names: readonly (string | { name: string })[]): string | undefined {
  const index = known.get(names) ?? indexOf(names);
  const { of, lower } = index;
  const sought = wanted.toLowerCase().slice(0, lengthMax);
  const most = Math.min(mistakesMax, Math.floor(sought.length / 3));
  const dollar = lower.indexOf(`$${sought}`);
  if (dollar !== -1) return of[dollar];
  let [best, bestDistance, compared] = [undefined as string | undefined, most + 1, 0];
  for (const [least, places] of byLeast(sought, most, index).entries())
    for (const at of places) {
      if (least >= bestDistance || compared++ === comparedMax) return best;
      const distance = distanceBelow(bestDistance, sought, lower[at] as string);
      if (distance < bestDistance) [best, bestDistance] = [of[at], distance];
    }
  return best;
}

function indexOf(entries: readonly (string | { name: string })[]): Names {
  const of = entries.map((entry) => (typeof entry === 'string' ? entry : entry.name));
  const lower = of.map((name) => name.toLowerCase().slice(0, lengthMax));
  const letters = new Uint8Array(of.length * kinds);
  lower.forEach((name, at) => count(name, letters, at * kinds));
  const names = { of, lower, letters, signs: Int32Array.from(of, (_, at) => signsOf(letters, at * kinds)) };
  known.set(entries, names);
  return names;
}

function count(text: string, letters: Uint8Array, from: number): void {
  for (let at = 0; at < text.length; at += 1) {
    const place = from + (text.charCodeAt(at) % kinds);
    letters[place] = (letters[place] as number) + 1;
  }
}

function signsOf(letters: Uint8Array, from: number): number {
  let signs = 0;
  for (let kind = 0; kind < kinds; kind += 1) if (letters[from + kind] !== 0) signs |= 1 << kind;
  return signs;
}

function ones(bits: number): number {
  let [count, left] = [0, bits];
  for (; left !== 0; left &= left - 1) count += 1;
  return count;
}

// Places of names by the fewest mistakes that their letters allow: one that is replaced changes two counts, one more or fewer changes one.
function byLeast(sought: string, most: number, { lower, letters, signs }: Names): number[][] {
  const own = new Uint8Array(kinds);
  count(sought, own, 0);
  const ownSigns = signsOf(own, 0);
  const places: number[][] = Array.from({ length: most + 1 }, () => []);
  for (let at = 0; at < lower.length; at += 1) {
    const name = lower[at] as string;
    if (Math.abs(name.length - sought.length) > most || ones(ownSigns ^ (signs[at] as number)) > 2 * most) continue;
    let different = 0;
    for (let kind = 0, from = at * kinds; kind < kinds && different <= 2 * most; kind += 1)
      different += Math.abs((own[kind] as number) - (letters[from + kind] as number));
    if (different <= 2 * most) places[Math.ceil(different / 2)]?.push(at);
  }
  return places;
}

/** Letters to add, to leave out, to replace, and neighbours to swap; `limit` when they are as many or more. */
function distanceBelow(limit: number, a: string, b: string): number {
  const width = b.length + 1;
  const rows: Uint8Array[] = [
    new Uint8Array(width),
    Uint8Array.from({ length: width }, (_, at) => at),
    new Uint8Array(width),
  ];
  for (let row = 1; row <= a.length; row += 1) {
    const [beforePrevious, previous, current] = rows as [Uint8Array, Uint8Array, Uint8Array];
    let least = (current[0] = row);
    for (let column = 1; column < width; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column - 1] as number) + (isSame ? 0 : 1),
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
      );
      if (!isSame && row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, (beforePrevious[column - 2] as number) + 1);
      current[column] = cost;
      least = Math.min(least, cost);
    }
    if (least > limit) return limit;
    rows.push(rows.shift() as Uint8Array);
  }
  return Math.min(limit, rows[1]?.[b.length] ?? limit);
}
