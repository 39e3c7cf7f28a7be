import { eachEntry, encodeBundle, type BundleEntry } from '../event-bundle.ts';
import type { HeadRange } from '../fast-decode-head.ts';

/** Where the head of an entry lies when it is alone in its record. */
export function headRange(entry: BundleEntry): HeadRange {
  const payload = encodeBundle([entry]);
  const ranges: HeadRange[] = [];
  eachEntry(payload, (headStart, bodyStart) => ranges.push({ payload, headStart, bodyStart }));
  return ranges[0] as HeadRange;
}
