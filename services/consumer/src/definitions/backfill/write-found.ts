import type { DefinitionStore, Seen } from '../definition-store.ts';
import type { JoinedNames } from './join-found.ts';

const rowsMax = 1_000;

/** Writes the names in statements of bounded size. Throws what `pg` throws. */
export async function writeFound({ events, properties, pairs }: JoinedNames, store: DefinitionStore): Promise<void> {
  for (const names of slices([...events.keys()])) await store.writeEvents(names, (name) => events.get(name) as Seen);
  const seen = new Map([...properties].map(([{ property }, times]) => [property, times]));
  for (const counts of slices([...properties.keys()]))
    await store.writeProperties(counts, (property) => seen.get(property) as Seen);
  for (const some of slices(pairs)) await store.writePairs(some);
}

function* slices<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += rowsMax) yield all.slice(from, from + rowsMax);
}
