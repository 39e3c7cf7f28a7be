import { constants, fdatasync, read, write } from 'node:fs';
import { link, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isNativeError } from 'node:util/types';

const readAt = promisify(read);
const writeAt = promisify(write);
const syncData = promisify(fdatasync);

/** True for a failed file operation with one of these codes (`ENOENT`, …). */
export function failedWith(error: unknown, ...codes: string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}

/** Message of an error. */
export function messageOf(error: unknown): string {
  if (failedWith(error, 'ENOSPC', 'EDQUOT')) return 'the disk is full';
  return isNativeError(error) ? error.message : String(error);
}

/** Makes the entries of a folder survive power loss. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder and what is missing above it; all of it survives power loss. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (failedWith(error, 'EEXIST')) return;
    if (!failedWith(error, 'ENOENT')) throw error;
    await makeFolder(dirname(folder));
    return makeFolder(folder);
  }
  await syncFolder(dirname(folder));
}

/** Names in a folder; none when it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Removes a file; it need not be there. */
export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!failedWith(error, 'ENOENT')) throw error;
  }
}

let temporaryCount = 0;

/** A name that no other process uses, for a file that is given its real name once it is whole. */
export function temporaryPath(folder: string): string {
  temporaryCount += 1;
  return join(folder, `.${process.pid}-${Date.now().toString(36)}-${temporaryCount}.tmp`);
}

/** True when a name is one of `temporaryPath`. */
export function isTemporary(name: string): boolean {
  return name.startsWith('.') && name.endsWith('.tmp');
}

async function writeSynced(path: string, content: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a file in one step: readers never see half of it.
 * @returns false when there is one of that name already; it is left alone.
 */
export async function createWhole(path: string, content: Buffer): Promise<boolean> {
  const temporary = temporaryPath(dirname(path));
  await writeSynced(temporary, content);
  try {
    await link(temporary, path);
  } catch (error) {
    if (failedWith(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await removeFile(temporary);
  }
  await syncFolder(dirname(path));
  return true;
}

/** Replaces (or creates) a file at once, durably; `temporary` lies in the same folder. */
export async function replaceWhole(path: string, temporary: string, content: Buffer): Promise<void> {
  await removeFile(temporary);
  await writeSynced(temporary, content);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Opened so, a write returns when its data is on disk: one call instead of write and fdatasync. */
const writesAreSynced = process.platform === 'linux';
export const appendFlags = constants.O_RDWR | (writesAreSynced ? constants.O_DSYNC : 0);

/** Writes all bytes at a position of a file opened with `appendFlags`; resolves when they are on disk. */
export async function writeDurably(fd: number, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await writeAt(fd, bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
  // Elsewhere O_DSYNC leaves the data in the drive's own cache; fdatasync of Node does not.
  if (!writesAreSynced) await syncData(fd);
}

/** Fills `target` from a position of a file; returns how many bytes there were. */
export async function readFully(fd: number, target: Buffer, position: number): Promise<number> {
  let done = 0;
  while (done < target.length) {
    const { bytesRead } = await readAt(fd, target, done, target.length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}
