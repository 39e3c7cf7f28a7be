import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Name of the model test beside the scenarios. */
export const modelName = 'model';
export const modelDoes =
  'tells 1,000 random sequences of identifying, aliasing and setting to several consumers, twice: event by event and all at once; compares with a model in memory';

/** Result of the rounds: each has 2,000 sequences of its own. */
export interface ModelOutcome {
  rounds: number;
  failed: number;
  tookMs: number;
}

/** Runs it once, or again and again until the time is up; its progress goes to standard error. It is a test of the full tier. */
export async function runModel(forMs: number | null, stop: AbortSignal): Promise<ModelOutcome> {
  const beganMs = Date.now();
  const outcome: ModelOutcome = { rounds: 0, failed: 0, tookMs: 0 };
  do {
    const script = join(import.meta.dirname, '../../scripts/test.ts');
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', script, '--full', 'identity-model'],
      { stdio: ['ignore', 'pipe', 'inherit'], signal: stop },
    );
    child.stdout.on('data', (data: Buffer) => process.stderr.write(data));
    const [code] = (await once(child, 'exit')) as [number | null];
    outcome.rounds += 1;
    if (code !== 0) outcome.failed += 1;
    outcome.tookMs = Date.now() - beganMs;
  } while (outcome.tookMs < (forMs ?? 0) && outcome.failed === 0 && !stop.aborted);
  return outcome;
}

/** One line for the report. Pure. */
export function modelLine({ rounds, failed, tookMs }: ModelOutcome): string {
  const sequences = (rounds * 2_000).toLocaleString('en-US');
  return `${failed === 0 ? 'ok' : 'FAILED'} ${modelName}: ${sequences} random sequences in ${Math.round(tookMs / 1_000)} s`;
}
