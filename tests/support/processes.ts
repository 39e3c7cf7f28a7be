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
      return { pid: Number(name), command, about: () => [command(), environment(), ifThere(() => readlinkSync(`/proc/${name}/cwd`))] };
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
    return pid === undefined || state?.startsWith('Z') ? [] : [{ pid: Number(pid), command: () => text, about: () => [text] }];
  });
}

/** Memory that the process really has, in megabytes. */
export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** The one TCP port on which the process listens. @throws when it is not one. */
export function portOf(pid: number): number {
  const ports = existsSync('/proc/self/net/tcp') ? portsFromProc(pid) : portsFromLsof(pid);
  if (ports.length !== 1 || ports[0] === undefined) throw new Error(`process ${pid} listens on ${ports.length} ports: ${ports.join(', ')}`);
  return ports[0];
}

const listening = '0A';

function portsFromProc(pid: number): number[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(ifThere(() => readlinkSync(`/proc/${pid}/fd/${fd}`)))?.[1]));
  const rows = ['tcp', 'tcp6'].flatMap((table) => ifThere(() => readFileSync(`/proc/${pid}/net/${table}`, 'utf8')).split('\n').slice(1));
  return rows.flatMap((row) => {
    // Local address in hexadecimal, state and inode are the fields 1, 3 and 9.
    const fields = row.trim().split(/\s+/);
    return fields[3] === listening && sockets.has(fields[9]) ? [Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)] : [];
  });
}

function portsFromLsof(pid: number): number[] {
  const lines = execFileSync('lsof', ['-nP', '-a', '-p', String(pid), '-iTCP', '-sTCP:LISTEN', '-Fn'], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => (line.startsWith('n') ? [Number(line.split(':').at(-1))] : []));
}
