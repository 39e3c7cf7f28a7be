import { lanes, type Lane } from '@millrace/contracts/lanes.ts';
import { join } from 'node:path';
import { namesIn } from './files.ts';

/*
 *     meta.json                                                  format version, partitions
 *     writers/<writer>/<epoch>.lease                             who writes, and how far it is on disk
 *     writers/<writer>/<lane>/<sequence>.segment                 records of all partitions of the lane
 *     groups/<group>/members/<member>.member                     who reads
 *     groups/<group>/units/<lane>.<partition>/<epoch>@<member>/  a partition and its owner in the group;
 *         <writer>.commit                                        inside, how far the group is
 */

/** Names of writers and groups become names of files. */
export function checkName(kind: string, name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,59}$/.test(name)) return name;
  throw new RangeError(`${kind} must be 1 to 60 of a-z, 0-9 and -, not "${name}"`);
}

export const writersFolder = (dir: string): string => join(dir, 'writers');
export const writerFolder = (dir: string, writer: string): string => join(dir, 'writers', writer);
export const laneFolder = (dir: string, writer: string, lane: Lane): string => join(dir, 'writers', writer, lane);
export const groupsFolder = (dir: string): string => join(dir, 'groups');

export function segmentPath(folder: string, sequence: number): string {
  return join(folder, `${String(sequence).padStart(12, '0')}.segment`);
}

/** Sequence numbers of a lane's segments, ascending. */
export async function segmentsIn(folder: string): Promise<number[]> {
  return numbersOf(await namesIn(folder), '.segment');
}

export function leasePath(folder: string, epoch: number): string {
  return join(folder, `${String(epoch).padStart(12, '0')}.lease`);
}

/** Epochs of a writer's lease files, ascending: the last one is in force. */
export function leasesAmong(names: readonly string[]): number[] {
  return numbersOf(names, '.lease');
}

/** Lanes that a writer has ever written to. */
export function lanesAmong(names: readonly string[]): Lane[] {
  return lanes.filter((lane) => names.includes(lane));
}

function numbersOf(names: readonly string[], suffix: string): number[] {
  return names
    .filter((name) => name.endsWith(suffix) && !name.startsWith('.'))
    .map((name) => Number(name.slice(0, -suffix.length)))
    .sort((a, b) => a - b);
}
