import { entryOverheadBytes, type BundleEntry } from '@millrace/contracts/event-bundle.ts';
import { bundleBytesMax, bundleEventsMax } from '@millrace/contracts/limits.ts';

/** What one caller wants appended to one partition, and how far it is. */
export interface Submission {
  entries: readonly BundleEntry[];
  bytes: number;
  /** Entries that have been handed to the log. */
  taken: number;
  /** Entries that are on disk. */
  durable: number;
  deadlineMs: number;
  /** Null once the caller has its answer. */
  settle: ((error: Error | null) => void) | null;
}

/** Bytes that an entry takes in a bundle. */
export function entryBytes(entry: BundleEntry): number {
  return entryOverheadBytes + entry.head.length + entry.body.length;
}

/** A part of a submission that travels in one append. */
export interface Share {
  submission: Submission;
  entries: number;
}

/** What one append of a partition takes along. */
export interface Load {
  bundles: BundleEntry[][];
  shares: Share[];
  entries: number;
}

const bundleHeaderBytes = 3;

/**
 * PURE but for `taken`: fills bundles with the waiting entries, in order, up to `bytesMax` in all (at least one
 * bundle). A bundle ends at `bundleEventsMax` entries or before `bundleBytesMax`; an entry that is larger has one to itself.
 */
export function takeLoad(waiting: readonly Submission[], bytesMax: number): Load {
  const load: Load = { bundles: [], shares: [], entries: 0 };
  let bundle: BundleEntry[] = [];
  let bundleBytes = bundleHeaderBytes;
  let loadBytes = 0;
  for (const submission of waiting) {
    const before = submission.taken;
    for (; submission.taken < submission.entries.length; submission.taken++) {
      const entry = submission.entries[submission.taken];
      if (!entry) break;
      const bytes = entryBytes(entry);
      if (bundle.length > 0 && (bundle.length === bundleEventsMax || bundleBytes + bytes > bundleBytesMax)) {
        if (loadBytes + bytes > bytesMax) break;
        bundle = [];
        bundleBytes = bundleHeaderBytes;
      }
      if (bundle.length === 0) load.bundles.push(bundle);
      bundle.push(entry);
      bundleBytes += bytes;
      loadBytes += bytes;
    }
    const entries = submission.taken - before;
    if (entries > 0) load.shares.push({ submission, entries });
    load.entries += entries;
    if (submission.taken < submission.entries.length) break;
  }
  return load;
}
