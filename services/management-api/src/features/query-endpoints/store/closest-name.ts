/** A name is compared up to this length: the cost grows with the product of both. */
const comparedLengthMax = 200;

/** The name that was probably meant: at most a third of its letters are others, case and `-`, `_` and `.` aside; else undefined. Pure. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > comparedLengthMax) return undefined;
  const wanted = folded(given);
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = distanceOf(wanted, folded(name));
    if (distance <= Math.min(4, Math.floor(name.length / 3)) && distance < (best?.distance ?? Infinity))
      best = { name, distance };
  }
  return best?.name;
}

const folded = (name: string): string => name.slice(0, comparedLengthMax).toLowerCase().replace(/[-_.]/g, '-');

/** How many letters must be put in, taken out or replaced (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const now = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (before[column] ?? 0) + (letter === other ? 0 : 1);
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before[b.length] ?? 0;
}
