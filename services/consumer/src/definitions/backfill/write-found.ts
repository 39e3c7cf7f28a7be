import type { DefinitionStore, Seen } from '../definition-store.ts';
import { statementSlices } from '../statement-slices.ts';
import type { JoinedNames } from './join-found.ts';

/** Writes the names in statements of bounded size. Throws what `pg` throws. */
export async function writeFound({ events, properties, pairs }: JoinedNames, store: DefinitionStore): Promise<void> {
  for (const names of statementSlices([...events.keys()]))
    await store.writeEvents(names, (name) => events.get(name) as Seen);
  const seen = new Map([...properties].map(([{ property }, times]) => [property, times]));
  for (const counts of statementSlices([...properties.keys()]))
    await store.writeProperties(counts, (property) => seen.get(property) as Seen);
  for (const some of statementSlices(pairs)) await store.writePairs(some);
}
