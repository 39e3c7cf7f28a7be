import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failedWith, isTemporary, namesIn } from '../files/files.ts';
import { groupsFolder, lanesAmong, writersFolder } from '../files/layout.ts';
import { membersFolder, unitsFolder } from './unit-claim.ts';

/** A running process needs its temporary files for milliseconds only. */
const orphanAfterMs = 3_600_000;

/** Removes orphans: files and folders that killed processes left half made, an hour later. Several processes may do this at once. */
export async function removeOrphans(dir: string): Promise<void> {
  for (const folder of await foldersWithTemporaries(dir)) {
    for (const name of (await namesIn(folder)).filter(isTemporary)) {
      const path = join(folder, name);
      if (await isOlder(path, Date.now() - orphanAfterMs)) await rm(path, { recursive: true, force: true });
    }
  }
}

async function foldersWithTemporaries(dir: string): Promise<string[]> {
  const folders = [dir];
  for (const writer of await namesIn(writersFolder(dir))) {
    const folder = join(writersFolder(dir), writer);
    folders.push(folder, ...lanesAmong(await namesIn(folder)).map((lane) => join(folder, lane)));
  }
  for (const group of await namesIn(groupsFolder(dir)))
    folders.push(membersFolder(dir, group), unitsFolder(dir, group));
  return folders;
}

async function isOlder(path: string, thanMs: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < thanMs;
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return false;
    throw error;
  }
}
