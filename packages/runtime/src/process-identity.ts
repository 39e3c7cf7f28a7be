import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Identity of a process. Ids are used again, so the time of its start belongs to it. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

const runFile = promisify(execFile);

/** The process that has that id now; undefined when there is none. One that has ended but was not waited for is none. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  if (process.platform === 'linux') return await identifyOnLinux(pid);
  try {
    const { stdout } = await runFile('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    });
    return { pid, startedAt: stdout.trim() };
  } catch (error) {
    // ps exits with 1 when there is no such process.
    if ((error as { code?: unknown }).code === 1) return undefined;
    throw error;
  }
}

/** True when exactly that process runs. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(identity.pid))?.startedAt === identity.startedAt;
}

/** Waits for a process that need not be a child of ours. True as soon as it is gone, false when `waitMs` passed first. */
export async function endsWithin(identity: ProcessIdentity, waitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + waitMs; performance.now() < deadline; await sleep(20)) {
    if (!(await isAlive(identity))) return true;
  }
  return false;
}

async function identifyOnLinux(pid: number): Promise<ProcessIdentity | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; after it come the state (field 3) and, as field 22, the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startedAt = fields[19];
    const isZombie = fields[0] === 'Z';
    return startedAt === undefined || isZombie ? undefined : { pid, startedAt };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
