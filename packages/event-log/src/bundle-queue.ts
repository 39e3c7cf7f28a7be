import { BundleWriter, fitsInto, type EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { bundleBytesMax, bundleEventsMax } from '@millrace/contracts/limits.ts';

/** Entries that one caller appends to one partition, and their state. */
export interface Submission {
  /** Bundles with entries of it that have no outcome yet. */
  left: number;
  /** The log has been given some of it. */
  begun: boolean;
  /** Some of it is on disk. */
  durable: boolean;
  deadlineMs: number;
  /** Null once the caller has its outcome. */
  settle: ((error: Error | null) => void) | null;
}

/** Entries of a submission that lie side by side in a bundle. */
export interface Share {
  submission: Submission;
  from: number;
  to: number;
  entries: number;
}

/** Entries of one caller after the other, written as they came; nothing else of a request waits for the log. */
export interface Bundle {
  writer: BundleWriter;
  shares: Share[];
}

/** Entries that wait for one partition, in order, and the bundles under way. */
export interface PartitionQueue {
  lane: Lane;
  partition: number;
  waiting: Bundle[];
  underWay: Bundle[];
  /** Somebody empties it already, or will in a moment. */
  isBusy: boolean;
  /** Memory of bundles that are through: the next one is written into it. */
  spare: BundleWriter | null;
}

/** Writes entries after those that wait: into as few bundles as the limits allow; an entry above them has one to itself. */
export function addEntries(queue: PartitionQueue, submission: Submission, entries: readonly EntryDraft[]): void {
  let share: Share | null = null;
  for (const entry of entries) {
    let bundle = queue.waiting.at(-1);
    if (bundle === undefined || !hasCapacity(bundle.writer, entry)) {
      bundle = { writer: queue.spare ?? new BundleWriter(), shares: [] };
      queue.spare = null;
      queue.waiting.push(bundle);
      share = null;
    }
    const { writer, shares } = bundle;
    if (share === null) {
      share = { submission, from: writer.length, to: 0, entries: 0 };
      shares.push(share);
      submission.left += 1;
    }
    writer.add(entry);
    share.to = writer.length;
    share.entries += 1;
  }
}

function hasCapacity(writer: BundleWriter, entry: EntryDraft): boolean {
  if (writer.count === 0) return true;
  return writer.count < bundleEventsMax && fitsInto(bundleBytesMax - writer.length, entry);
}

/** Takes the oldest bundles, of about `bytesMax` in all, but at least one. */
export function takeLoad(waiting: Bundle[], bytesMax: number): Bundle[] {
  let count = 0;
  let bytes = 0;
  for (const { writer } of waiting) {
    bytes += writer.length;
    if (count > 0 && bytes > bytesMax) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Takes out the waiting entries of a submission; returns them. */
export function withdraw(queue: PartitionQueue, submission: Submission): Share[] {
  const withdrawn: Share[] = [];
  for (const { writer, shares } of queue.waiting) {
    const at = shares.findIndex((share) => share.submission === submission);
    const share = shares[at];
    if (share === undefined) continue;
    const bytes = share.to - share.from;
    writer.remove(share.from, share.to, share.entries);
    shares.splice(at, 1);
    for (const later of shares.slice(at)) {
      later.from -= bytes;
      later.to -= bytes;
    }
    withdrawn.push(share);
  }
  queue.waiting = queue.waiting.filter(({ writer }) => writer.count > 0);
  return withdrawn;
}

/** Memory that is larger is given back: lanes and partitions may be many. */
const keptBytesMax = 256 * 1024;

/** Keeps the memory of a bundle that nothing reads any more. */
export function keepMemory(queue: PartitionQueue, { writer }: Bundle): void {
  if (queue.spare !== null || writer.capacity > keptBytesMax) return;
  writer.clear();
  queue.spare = writer;
}
