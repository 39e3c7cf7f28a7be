import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const way = (folder: string): string =>
  `give it to this one (sudo chown -R ${process.getuid?.() ?? '<user>'} ${folder}), or set MILLRACE_DATA_DIR to another folder.`;

/**
 * The reason why this user cannot read or write a data folder, in one sentence with the way out. Null when they can, or the
 * folder does not exist. Checks the folder and each entry directly in it and in its logs.
 */
export function findAccessError(folder: string): string | null {
  if (!existsSync(folder)) return null;
  for (const path of [folder, ...entriesOf(folder), ...entriesOf(join(folder, 'logs'))]) {
    const code = accessErrorCode(path);
    if (code === 'EROFS')
      return `${path} is on a file system that is read-only: set MILLRACE_DATA_DIR to another folder.`;
    if (code === null) continue;
    const owner = statSync(path).uid;
    return owner === process.getuid?.()
      ? `${path} may not be read and written by its owner: allow it (chmod -R u+rwX ${folder}), or set MILLRACE_DATA_DIR to another folder.`
      : `${path} belongs to another user (uid ${owner}): start as that one, ${way(folder)}`;
  }
  return null;
}

/** Paths of the folder's entries; empty when the folder may not be read, which `accessErrorCode` reports. */
function entriesOf(folder: string): string[] {
  if (!existsSync(folder) || accessErrorCode(folder) !== null) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Error code of reading and writing the path; null: both are allowed. A missing file is no error: another start may have removed it. */
function accessErrorCode(path: string): string | null {
  try {
    const entering = statSync(path).isDirectory() ? constants.X_OK : 0;
    accessSync(path, constants.R_OK | constants.W_OK | entering);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return code;
    throw error;
  }
}
