import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EngineStartError } from './engine-error.ts';

/** A process beyond doubt: ids are used again, so the time of its start belongs to it. */
interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

interface Claim {
  owner: ProcessIdentity;
  engine?: ProcessIdentity;
}

const runFile = promisify(execFile);

/**
 * Makes this process the one that runs the engine of `dataDir`. An engine whose starter is dead, and which should have
 * ended with it, is stopped first (10 s to end by itself, then killed).
 * The claim is a file beside the folder; it stays, and means nothing once its processes are gone.
 * @throws {EngineStartError} when a living process runs an engine there.
 */
export async function claimDataDir(engine: string, dataDir: string): Promise<{ record(enginePid: number): Promise<void> }> {
  const file = `${dataDir}.claim.json`;
  const earlier = await readClaim(file);
  if (earlier?.engine !== undefined && (await isAlive(earlier.engine))) {
    if ((await isAlive(earlier.owner)) && !(await endsWithin(earlier.engine, 1_000))) {
      throw new EngineStartError(
        engine,
        `process ${earlier.owner.pid} runs it on ${dataDir} already (as process ${earlier.engine.pid}).`,
        'Stop that one first, or use another data folder.',
      );
    }
    if (await isAlive(earlier.engine)) await endAbandoned(earlier.engine);
  }
  const owner = await identify(process.pid);
  if (owner === undefined) throw new Error('this process is not in the list of processes');
  return {
    async record(enginePid) {
      const identity = await identify(enginePid);
      if (identity !== undefined) await writeClaim(file, { owner, engine: identity });
    },
  };
}

async function endAbandoned(engine: ProcessIdentity): Promise<void> {
  for (const [signal, waitMs] of [['SIGINT', 10_000], ['SIGKILL', 5_000]] as const) {
    sendSignal(engine.pid, signal);
    if (await endsWithin(engine, waitMs)) return;
  }
  throw new Error(`process ${engine.pid}, left by an earlier run, cannot be ended`);
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended in between.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function endsWithin(engine: ProcessIdentity, waitMs: number): Promise<boolean> {
  for (const deadline = performance.now() + waitMs; performance.now() < deadline; await sleep(20)) {
    if (!(await isAlive(engine))) return true;
  }
  return false;
}

async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identify(identity.pid))?.startedAt === identity.startedAt;
}

async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  if (process.platform === 'linux') return await identifyOnLinux(pid);
  try {
    const { stdout } = await runFile('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } });
    return { pid, startedAt: stdout.trim() };
  } catch (error) {
    // ps exits with 1 when there is no such process.
    if ((error as { code?: unknown }).code === 1) return undefined;
    throw error;
  }
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

async function readClaim(file: string): Promise<Claim | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Claim;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeClaim(file: string, claim: Claim): Promise<void> {
  await writeFile(`${file}.next`, JSON.stringify(claim), { mode: 0o600 });
  await rename(`${file}.next`, file);
}
