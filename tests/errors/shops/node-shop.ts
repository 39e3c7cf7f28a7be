import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundler } from '@millrace/symbolication/testing/bundles.ts';
import type { Local } from '../../support/system.ts';

const program = join(import.meta.dirname, 'node-program.mjs');

/**
 * Programs with posthog-node that load the bundle from a folder. In the first every scenario of the shop fails as the cause of an exception that
 * it captures; each of `uncaught` ends a program of its own. Exceptions have the properties `run` (`node <bundler>`), `scenario` and `way`
 * (`cause`, `uncaught`). @throws when a program ended in another way.
 */
export async function throwInNode(
  { captureUrl, projectToken }: Local,
  bundler: Bundler,
  script: string,
  folder: string,
  uncaught: readonly string[],
): Promise<void> {
  const bundle = join(folder, `${bundler}.cjs`);
  writeFileSync(bundle, script);
  const args = [program, captureUrl, projectToken, `node ${bundler}`, bundle];
  await runProgram(args, 0);
  for (const scenario of uncaught) await runProgram([...args, scenario], 1);
}

async function runProgram(args: readonly string[], expectedCode: number): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: {} });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== expectedCode) throw new Error(`${args.slice(3).join(' ')} ended with ${code}:\n${printed}`);
}
