import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether a process with this id runs (one that has ended and only waits for its parent does not). */
export function isRunning(pid: number): boolean {
  return allProcesses().some((one) => one.pid === pid);
}

/**
 * Every process that has to do with the folder: it is named in the command line, the environment or as working folder.
 * A launcher of these tests has the folder as its HOME, which its services inherit; so nothing of it escapes.
 */
export function processesOf(folder: string): string[] {
  return allProcesses()
    .filter(({ pid, about }) => pid !== process.pid && about().some((text) => text.includes(folder)))
    .map(({ pid, command }) => `${pid} ${command()}`);
}

interface Listed {
  pid: number;
  command: () => string;
  about: () => string[];
}

function allProcesses(): Listed[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

function fromProc(): Listed[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && stateOf(name) !== 'Z')
    .map((name) => {
      const command = (): string => ifThere(() => readFileSync(`/proc/${name}/cmdline`, 'utf8')).replaceAll('\0', ' ');
      const environment = (): string => ifThere(() => readFileSync(`/proc/${name}/environ`, 'utf8'));
      return {
        pid: Number(name),
        command,
        about: () => [command(), environment(), ifThere(() => readlinkSync(`/proc/${name}/cwd`))],
      };
    });
}

function stateOf(pid: string): string {
  const stat = ifThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat === '' ? 'Z' : stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}

// It may end while we look; that of another user is none of ours.
function ifThere(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

function fromPs(): Listed[] {
  const lines = execFileSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,stat=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, state, text = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || state?.startsWith('Z')
      ? []
      : [{ pid: Number(pid), command: () => text, about: () => [text] }];
  });
}

/** Memory that the process really has, in megabytes. */
export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}
