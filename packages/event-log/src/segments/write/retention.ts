import { stat } from 'node:fs/promises';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { failedWith, namesIn, removeFile, syncFolder } from '../files/files.ts';
import { committedOffsets } from '../coordination/group-commits.ts';
import { laneFolder, lanesAmong, segmentPath, segmentsIn, writerFolder, writersFolder } from '../files/layout.ts';
import { removeOrphans } from '../coordination/orphans.ts';
import { readSegmentHeader } from '../files/segment-file.ts';

/** The result of a scan of the whole log. */
export interface Inventory {
  /** Bytes that the segments really take on disk. */
  bytes: number;
  removedSegments: number;
}

/**
 * Removes the segments that nobody needs, and what killed processes left half made, and adds up the others. A segment goes when each group that has ever
 * subscribed to its lane has committed all of it, and it is older than `retentionMs`; that of a lane without any group
 * stays, and so does the newest of each lane. Several processes may do this at once.
 */
export async function sweep(dir: string, partitions: number, retentionMs: number): Promise<Inventory> {
  await removeOrphans(dir);
  const inventory: Inventory = { bytes: 0, removedSegments: 0 };
  for (const writer of await namesIn(writersFolder(dir))) {
    for (const lane of lanesAmong(await namesIn(writerFolder(dir, writer)))) {
      await sweepLane(inventory, { dir, writer, lane, partitions, beforeMs: Date.now() - retentionMs });
    }
  }
  return inventory;
}

interface LaneSweep {
  dir: string;
  writer: string;
  lane: Lane;
  partitions: number;
  beforeMs: number;
}

async function sweepLane(inventory: Inventory, { dir, writer, lane, partitions, beforeMs }: LaneSweep): Promise<void> {
  const folder = laneFolder(dir, writer, lane);
  const sequences = await segmentsIn(folder);
  let groups: number[][] | null = null;
  let mayGo = true;
  for (const [index, sequence] of sequences.entries()) {
    const file = await fileState(segmentPath(folder, sequence));
    if (!file) continue;
    const next = sequences[index + 1];
    // In order: a reader takes segments missing at the front for removed, and one missing in between for an error.
    mayGo = mayGo && next !== undefined && file.modifiedMs < beforeMs;
    if (mayGo && next !== undefined) {
      groups ??= await committedOffsets(dir, lane, writer, partitions);
      mayGo = haveAllCommitted(groups, (await readSegmentHeader(folder, next, partitions)).ends);
    }
    if (mayGo) {
      await removeFile(segmentPath(folder, sequence));
      await syncFolder(folder);
      inventory.removedSegments += 1;
    } else {
      inventory.bytes += file.bytes;
    }
  }
}

/** PURE: whether every group has committed up to those offsets; false when there is no group. */
function haveAllCommitted(groups: readonly number[][], ends: readonly number[]): boolean {
  return (
    groups.length > 0 && groups.every((committed) => ends.every((end, partition) => (committed[partition] ?? 0) >= end))
  );
}

async function fileState(path: string): Promise<{ bytes: number; modifiedMs: number } | null> {
  try {
    const { blocks, mtimeMs } = await stat(path);
    return { bytes: blocks * 512, modifiedMs: mtimeMs };
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return null;
    throw error;
  }
}
