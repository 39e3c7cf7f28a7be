/** How many there are of each name, for names that come and go. */
export interface Counts<Name> {
  of(name: Name): number;
  add(name: Name): void;
  /** Takes one back that was added. */
  remove(name: Name): void;
}

/** Counts from nothing. A name that has none left takes no room. */
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
