import { statfsSync } from 'node:fs';
import { findAccessError } from './folder-access.ts';

const deniedCodes = ['EACCES', 'EPERM', 'EROFS'];
const noRoom = ['ENOSPC', 'EDQUOT'];
/** Free bytes below which the disk counts as full. */
const freeBytesMin = 1_000_000;

/** The reason why the product cannot write to its data folder now, in one sentence with the way out; null when it can. */
export function unwritableReason(root: string): string | null {
  return findAccessError(root) ?? (isFull(root) ? fullSentence(root) : null);
}

/**
 * The reason for an error that the folder's file system may have caused, in one sentence with the way out. There is a sentence even when
 * the cause is gone or cannot be seen from here. Null for every other error.
 */
export function writeFailure(error: unknown, root: string): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code = '', path } = at as NodeJS.ErrnoException;
    if (noRoom.includes(code)) return unwritableReason(root) ?? fullSentence(root);
    if (deniedCodes.includes(code) && path !== undefined)
      return (
        unwritableReason(root) ??
        `${path} may not be written (${code}): let this user write there, or set MILLRACE_DATA_DIR to another folder.`
      );
  }
  return null;
}

/**
 * Calls `say` once when the data folder becomes unwritable, and once when it is writable again. Running services return
 * errors in between, and give the reason only in their logs.
 */
export function watchFolder(
  root: string,
  say: (line: string) => void,
  { everyMs = 5_000, check = unwritableReason } = {},
): { stop(): void } {
  let reported: string | null = null;
  const timer = setInterval(() => {
    const reason = check(root);
    if (reason !== null && reported === null) say(reason);
    if (reason === null && reported !== null) say(`${root} can be written to again.`);
    reported = reason;
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function isFull(root: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(root);
    return bavail * bsize < freeBytesMin;
  } catch {
    // A missing or closed folder: `accessProblem` has checked that before.
    return false;
  }
}

const fullSentence = (root: string): string =>
  `The disk of ${root} is full: make room on it, or stop and set MILLRACE_DATA_DIR to a folder on another disk.`;
