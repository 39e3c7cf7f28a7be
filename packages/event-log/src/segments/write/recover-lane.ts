import type { Lane } from '@millrace/contracts/lanes.ts';
import { decodeDurableEnd } from '../coordination/durable-end.ts';
import { makeFolder } from '../files/files.ts';
import { committedOffsets } from '../coordination/group-commits.ts';
import { laneFolder, segmentsIn } from '../files/layout.ts';
import { createSegment, scanSegment, type Scan } from '../files/segment-file.ts';
import { segmentHeaderBytes } from '../files/segment-header.ts';
import type { WriterLease } from '../coordination/writer-lease.ts';

/** A lane that its writer can append to. */
export interface OpenLane {
  folder: string;
  fd: number;
  sequence: number;
  position: number;
  /** For each partition the offset after its newest record. */
  ends: number[];
  /** For each partition the offset of its next record. */
  next: number[];
}

/** After a power loss a stream continues at the next multiple: more than could have been lost with it. */
const leapOffsets = 1_000_000;

export interface RecoverOptions {
  dir: string;
  writer: string;
  lane: Lane;
  partitions: number;
  segmentBytes: number;
  lease: WriterLease;
}

/**
 * Opens a lane for appending, always in a new segment. The new segment's header holds the end of the one before: bytes
 * after it (torn by a crash, or written by a fenced process that has not noticed yet) never become a record.
 * No offset is used again that the former owner published, that a group has committed, or (when a power loss may
 * have taken records with it) that could have been used.
 * @returns null when another process has taken the lane over meanwhile.
 */
export async function recoverLane(options: RecoverOptions): Promise<OpenLane | null> {
  const { dir, writer, lane, partitions, segmentBytes, lease } = options;
  const folder = laneFolder(dir, writer, lane);
  await makeFolder(folder);
  const last = (await segmentsIn(folder)).at(-1) ?? 0;
  const zeros = Array<number>(partitions).fill(0);
  const scan: Pick<Scan, 'position' | 'ends'> & { next: number[] } =
    last === 0 ? { position: 0, ends: zeros, next: zeros } : await scanLast(folder, last, partitions);
  const used = await usedOffsets(options, scan.next, last === 0);
  const header = { sequence: last + 1, epoch: lease.epoch, previousEnd: scan.position, ends: scan.ends, next: used };
  const fd = await createSegment(folder, header, segmentBytes);
  if (fd === null) return null;
  const open = {
    folder,
    fd,
    sequence: last + 1,
    position: segmentHeaderBytes(partitions),
    ends: [...scan.ends],
    next: [...used],
  };
  lease.publish(lane, open);
  return open;
}

async function scanLast(folder: string, last: number, partitions: number) {
  const { header, position, ends } = await scanSegment(folder, last, partitions);
  return { position, ends, next: ends.map((end, partition) => Math.max(end, header.next[partition] ?? 0)) };
}

async function usedOffsets(options: RecoverOptions, found: readonly number[], isNew: boolean): Promise<number[]> {
  const { dir, writer, lane, partitions, lease } = options;
  const published = lease.inheritance && decodeDurableEnd(lease.inheritance.lease, lane, partitions);
  const committed = await committedOffsets(dir, lane, writer, partitions);
  const complete = isNew || (lease.inheritance?.complete === true && published !== null);
  return found.map((next, partition) => {
    const used = Math.max(
      next,
      published?.ends[partition] ?? 0,
      ...committed.map((offsets) => offsets[partition] ?? 0),
    );
    return complete ? used : Math.ceil((used + 1) / leapOffsets) * leapOffsets;
  });
}
