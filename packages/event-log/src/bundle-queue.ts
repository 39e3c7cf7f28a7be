import { bundleCount, bundleHeaderBytes, encodeBundle, entryOverheadBytes, type BundleEntry } from '@millrace/contracts/event-bundle.ts';
import { bundleBytesMax, bundleEventsMax } from '@millrace/contracts/limits.ts';

/** What one caller wants appended to one partition, and how far it is. */
export interface Submission {
  /** Encoded at once, so that nothing else of a request stays in memory while the log writes. */
  bundles: readonly Buffer[];
  /** Bytes that count as in flight. */
  bytes: number;
  /** Bundles that have been handed to the log. */
  taken: number;
  /** Bundles that are on disk. */
  durable: number;
  deadlineMs: number;
  /** Null once the caller has its answer. */
  settle: ((error: Error | null) => void) | null;
}

/** Bytes that an entry takes in a bundle. */
export function entryBytes(entry: BundleEntry): number {
  return entryOverheadBytes + entry.head.length + entry.body.length;
}

/** Entries of a submission that the log has not been given. */
export function entriesWaiting({ bundles, taken }: Submission): number {
  let entries = 0;
  for (let index = taken; index < bundles.length; index++) entries += bundleCount(bundles[index] as Buffer);
  return entries;
}

/**
 * Encodes entries, in order, to as few bundles as the limits allow: a bundle ends at `bundleEventsMax` entries or before
 * `bundleBytesMax`; an entry that is larger has one to itself. `bytes` is what all entries take.
 */
export function bundlesOf(entries: readonly BundleEntry[], bytes: number): Buffer[] {
  if (entries.length <= bundleEventsMax && bundleHeaderBytes + bytes <= bundleBytesMax) return [encodeBundle(entries)];
  const bundles: Buffer[] = [];
  let from = 0;
  let size = bundleHeaderBytes;
  entries.forEach((entry, index) => {
    const more = entryBytes(entry);
    if (index > from && (index - from === bundleEventsMax || size + more > bundleBytesMax)) {
      bundles.push(encodeBundle(entries.slice(from, index)));
      from = index;
      size = bundleHeaderBytes;
    }
    size += more;
  });
  bundles.push(encodeBundle(entries.slice(from)));
  return bundles;
}

/** A part of a submission that travels in one append. */
export interface Share {
  submission: Submission;
  bundles: number;
}

/** What one append of a partition takes along. */
export interface Load {
  /** Each of them is to be joined to one bundle. */
  bundles: Buffer[][];
  shares: Share[];
  entries: number;
}

/**
 * PURE but for `taken`: joins the waiting bundles to larger ones, in order and within the same limits, up to `bytesMax` in
 * all (at least one bundle).
 */
export function takeLoad(waiting: readonly Submission[], bytesMax: number): Load {
  const load: Load = { bundles: [], shares: [], entries: 0 };
  let joined: Buffer[] = [];
  let joinedBytes = bundleHeaderBytes;
  let joinedEntries = 0;
  let loadBytes = 0;
  for (const submission of waiting) {
    const before = submission.taken;
    for (; submission.taken < submission.bundles.length; submission.taken++) {
      const bundle = submission.bundles[submission.taken] as Buffer;
      const bytes = bundle.length - bundleHeaderBytes;
      const entries = bundleCount(bundle);
      if (joined.length > 0 && (joinedEntries + entries > bundleEventsMax || joinedBytes + bytes > bundleBytesMax)) {
        if (loadBytes + bytes > bytesMax) break;
        joined = [];
        joinedBytes = bundleHeaderBytes;
        joinedEntries = 0;
      }
      if (joined.length === 0) load.bundles.push(joined);
      joined.push(bundle);
      joinedBytes += bytes;
      joinedEntries += entries;
      loadBytes += bytes;
      load.entries += entries;
    }
    const bundles = submission.taken - before;
    if (bundles > 0) load.shares.push({ submission, bundles });
    if (submission.taken < submission.bundles.length) break;
  }
  return load;
}
