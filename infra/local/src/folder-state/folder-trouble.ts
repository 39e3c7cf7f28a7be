import { statfsSync } from 'node:fs';
import { accessProblem } from './folder-access.ts';

const refusals = ['EACCES', 'EPERM', 'EROFS'];
const noRoom = ['ENOSPC', 'EDQUOT'];
/** With less than that nothing of the product can go on. */
const roomBytesMin = 1_000_000;

/** The reason why the product cannot write to its data folder now, in one sentence with the way out; null when it can. */
export function folderTrouble(root: string): string | null {
  return accessProblem(root) ?? (isFull(root) ? fullSentence(root) : null);
}

/**
 * The same for an error that the folder's file system may be the reason of, even when the reason is gone or cannot be seen from
 * here; null for every other error.
 */
export function writeFailure(error: unknown, root: string): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code = '', path } = at as NodeJS.ErrnoException;
    if (noRoom.includes(code)) return folderTrouble(root) ?? fullSentence(root);
    if (refusals.includes(code) && path !== undefined)
      return (
        folderTrouble(root) ??
        `${path} may not be written (${code}): let this user write there, or set MILLRACE_DATA_DIR to another folder.`
      );
  }
  return null;
}

/**
 * Tells `say` once when the data folder can no longer be written to, and once when it can again: what runs on meanwhile answers
 * errors, and says why in its log alone.
 */
export function watchFolder(
  root: string,
  say: (line: string) => void,
  { everyMs = 5_000, look = folderTrouble } = {},
): { stop(): void } {
  let told: string | null = null;
  const timer = setInterval(() => {
    const trouble = look(root);
    if (trouble !== null && told === null) say(trouble);
    if (trouble === null && told !== null) say(`${root} can be written to again.`);
    told = trouble;
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function isFull(root: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(root);
    return bavail * bsize < roomBytesMin;
  } catch {
    // A folder that is gone, or closed: accessProblem has looked.
    return false;
  }
}

const fullSentence = (root: string): string =>
  `The disk of ${root} is full: make room on it, or stop and set MILLRACE_DATA_DIR to a folder on another disk.`;
