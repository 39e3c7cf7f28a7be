import type { FoundFunction } from './find-functions.ts';

/** From here on, up to the next boundary, the innermost function is this one of the list; -1: none. */
export interface Boundary {
  /** Offset of the script. */
  place: number;
  index: number;
}

/** Cuts a script where its innermost function changes. Takes functions as `findFunctions` gives them: sorted and nested. Pure. */
export function boundariesOf(functions: readonly FoundFunction[]): Boundary[] {
  const boundaries: Boundary[] = [];
  const open: number[] = [];
  const add = (place: number): void => {
    const index = open.at(-1) ?? -1;
    // An empty range is of no use.
    if (boundaries.at(-1)?.place === place) boundaries.pop();
    boundaries.push({ place, index });
  };
  const closeUpTo = (place: number): void => {
    for (let end = endOf(open.at(-1)); end <= place; end = endOf(open.at(-1))) {
      open.pop();
      add(end);
    }
  };
  const endOf = (index: number | undefined): number => functions[index ?? -1]?.end ?? Infinity;
  for (const [index, { start }] of functions.entries()) {
    closeUpTo(start);
    open.push(index);
    add(start);
  }
  closeUpTo(Number.MAX_SAFE_INTEGER);
  return boundaries;
}
