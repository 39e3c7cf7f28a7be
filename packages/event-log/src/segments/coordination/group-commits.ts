import type { Lane } from '@millrace/contracts/lanes.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Commit, StreamId } from '../../event-log.ts';
import { decodeCommit } from '../files/commit-file.ts';
import { failedWith, namesIn } from '../files/files.ts';
import { groupsFolder } from '../files/layout.ts';
import { claimIn, unitsFolder } from './unit-claim.ts';

/**
 * For each group that has ever subscribed to the lane: the offset it has committed in each partition of that writer,
 * 0 where it has none.
 */
export async function committedOffsets(
  dir: string,
  lane: Lane,
  writer: string,
  partitions: number,
): Promise<number[][]> {
  const all: number[][] = [];
  for (const group of await namesIn(groupsFolder(dir))) {
    const units = unitsFolder(dir, group);
    const own = new Set((await namesIn(units)).filter((name) => name.startsWith(`${lane}.`)));
    if (own.size === 0) continue;
    const offsets = Array.from({ length: partitions }, (_, partition) =>
      own.has(`${lane}.${partition}`)
        ? committedOffset(join(units, `${lane}.${partition}`), writer)
        : Promise.resolve(0),
    );
    all.push(await Promise.all(offsets));
  }
  return all;
}

async function committedOffset(unit: string, writer: string): Promise<number> {
  return Number((await readUnit(unit, writer))?.offset ?? 0);
}

/** A group's commit of a stream, for any owner of the stream; null when there is none, or no such group. */
export function readCommit(dir: string, group: string, { lane, partition, writer }: StreamId): Promise<Commit | null> {
  return readUnit(join(unitsFolder(dir, group), `${lane}.${partition}`), writer);
}

async function readUnit(unit: string, writer: string): Promise<Commit | null> {
  const claim = claimIn(await namesIn(unit));
  if (!claim) return null;
  try {
    return decodeCommit(await readFile(join(unit, claim.name, `${writer}.commit`)));
  } catch (error) {
    if (!failedWith(error, 'ENOENT')) throw error;
    // Either it has not committed, or the claim has changed hands between the two calls.
    return claimIn(await namesIn(unit))?.name === claim.name ? null : readUnit(unit, writer);
  }
}
