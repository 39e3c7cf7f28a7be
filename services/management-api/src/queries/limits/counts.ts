/** A number for each name. */
export interface Counts<Name> {
  of(name: Name): number;
  add(name: Name): void;
  /** Takes back one `add`. */
  remove(name: Name): void;
}

/** All numbers begin with 0. A name with 0 takes no memory. */
export function createCounts<Name>(): Counts<Name> {
  const counts = new Map<Name, number>();
  const of = (name: Name): number => counts.get(name) ?? 0;
  return {
    of,
    add: (name) => void counts.set(name, of(name) + 1),
    remove(name) {
      const left = of(name) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    },
  };
}
