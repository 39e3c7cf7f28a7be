import { readdirSync, readFileSync } from 'node:fs';

/** Linux gives times in hundredths of a second to every program, whatever its own clock. */
const ticksPerSecond = 100;

/** CPU seconds (user and system, all threads, rounded to 0.01) that a process has used. Linux only. @throws when it is gone */
export const cpuSeconds = (pid: number): number => parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).ownSeconds;

/** As `cpuSeconds`, for a process together with its children, those that have ended included. @throws when it is gone */
export function cpuSecondsWithChildren(pid: number): number {
  const { ownSeconds, endedChildrenSeconds } = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return childrenOf(pid).reduce(
    (sum, child) => sum + child.ownSeconds + child.endedChildrenSeconds,
    ownSeconds + endedChildrenSeconds,
  );
}

export interface ProcessTimes {
  parentPid: number;
  ownSeconds: number;
  endedChildrenSeconds: number;
}

/** One line of `/proc/<pid>/stat`. The name of the program, in parentheses, may hold anything. Pure. */
export function parseStat(line: string): ProcessTimes {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const seconds = (first: number): number => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) / ticksPerSecond;
  return { parentPid: fields[1] ?? 0, ownSeconds: seconds(11), endedChildrenSeconds: seconds(13) };
}

function childrenOf(pid: number): ProcessTimes[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => timesOf(name)).filter(({ parentPid }) => parentPid === pid);
}

function timesOf(pid: string): ProcessTimes[] {
  try {
    return [parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return []; // it ended since the folder was read
    throw error;
  }
}
