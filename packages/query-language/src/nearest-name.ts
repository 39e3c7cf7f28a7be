// Letters that are compared with letters: thousands of short names, or dozens of long ones.
const stepsMax = 200_000;

/**
 * The known name that a misspelt one was probably meant to be: at most a third of its letters wrong, case aside. None for one
 * or two letters. Looks only at the first names when there are thousands.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  let best: string | undefined;
  let bestDistance = Math.floor(wanted.length / 3) + 1;
  let steps = 0;
  for (const candidate of known) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    steps += wanted.length * candidate.length;
    if (steps > stepsMax) break;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Letters to add, to leave out, to replace, and neighbours to swap. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwap ? (beforePrevious[column - 2] as number) + 1 : Infinity;
      current.push(Math.min(substitution, swap, (previous[column] as number) + 1, (current[column - 1] as number) + 1));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] as number;
}
