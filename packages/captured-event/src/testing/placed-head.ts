import { eachEntry, encodeBundle, type BundleEntry } from '../event-bundle.ts';
import type { PlacedHead } from '../usual-head.ts';

/** Where the head of an entry lies when it is alone in its record. */
export function placedHead(entry: BundleEntry): PlacedHead {
  const payload = encodeBundle([entry]);
  const places: PlacedHead[] = [];
  eachEntry(payload, (headStart, bodyStart) => places.push({ payload, headStart, bodyStart }));
  return places[0] as PlacedHead;
}
