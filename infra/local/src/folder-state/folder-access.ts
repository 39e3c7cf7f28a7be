import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const way = (folder: string): string =>
  `give it to this one (sudo chown -R ${process.getuid?.() ?? '<user>'} ${folder}), or set MILLRACE_DATA_DIR to another folder.`;

/**
 * The reason why this user cannot work with a data folder, in one sentence with the way out; null when they can, or the
 * folder is not there. Looks at the folder and at each entry directly in it and in its logs.
 */
export function accessProblem(folder: string): string | null {
  if (!existsSync(folder)) return null;
  for (const path of [folder, ...entriesOf(folder), ...entriesOf(join(folder, 'logs'))]) {
    const code = refusal(path);
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

/** Paths of what the folder holds; none of a folder that may not be read, which is a refusal of its own. */
function entriesOf(folder: string): string[] {
  if (!existsSync(folder) || refusal(folder) !== null) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Code of the error that reading and writing would meet. A file that vanished meanwhile is none: another start tidies up. */
function refusal(path: string): string | null {
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
