import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a message as a file of its own that only its owner may read, named by its time, and returns its path. A reader
 * of the folder never sees half of a message: until it is whole, its name ends in `.next`.
 */
export async function writeToOutbox(folder: string, message: Uint8Array, nowMs: number): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '');
  const file = join(folder, `${time}-${randomBytes(6).toString('hex')}.eml`);
  const next = `${file}.next`;
  try {
    await writeFile(next, message, { mode: 0o600, flag: 'wx', flush: true });
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  return file;
}
