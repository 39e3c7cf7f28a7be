import { readFile, rename, writeFile } from 'node:fs/promises';
import { EngineStartError } from './engine-error.ts';
import type { EngineProcess } from './engine-process.ts';
import { endsWithin, identifyProcess, isAlive, type ProcessIdentity } from '@millrace/runtime/process-identity.ts';

interface Claim {
  owner: ProcessIdentity;
  engine?: ProcessIdentity;
}

export interface EngineClaim {
  /** Records a started engine. When that fails the engine is stopped, because no later start could find it. */
  record(engine: Pick<EngineProcess, 'pid' | 'stop'>): Promise<void>;
}

/**
 * Makes this process the one that runs the engine of `dataDir`. An engine whose starter is dead, and which should have
 * ended with it, is stopped first (10 s to end by itself, then killed).
 * The claim is a file beside the folder; it stays, and means nothing once its processes are gone.
 * @throws {EngineStartError} when a living process runs an engine there.
 */
export async function claimDataDir(engine: string, dataDir: string): Promise<EngineClaim> {
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
  const owner = await identifyProcess(process.pid);
  if (owner === undefined) throw new Error('this process is not in the list of processes');
  return {
    async record(started) {
      try {
        const identity = await identifyProcess(started.pid);
        if (identity !== undefined) await writeClaim(file, { owner, engine: identity });
      } catch (error) {
        await started.stop();
        throw error;
      }
    },
  };
}

/** The process that runs the engine of `dataDir` now; undefined when none does. */
export async function runningEngine(dataDir: string): Promise<ProcessIdentity | undefined> {
  const engine = (await readClaim(`${dataDir}.claim.json`))?.engine;
  return engine !== undefined && (await isAlive(engine)) ? engine : undefined;
}

async function endAbandoned(engine: ProcessIdentity): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
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
