import type { Command } from 'commander';
import { endsWithin } from '@millrace/runtime/process-identity.ts';
import { CliError } from '../cli-error.ts';
import { readCliConfig } from '../config.ts';
import { runningSystem } from '../local-system.ts';
import { type CommandResult, print } from '../run-command.ts';

/** Longer than a stop of the launcher, which takes at most ten seconds. */
const waitMs = 15_000;

/** `stop` */
export function addStopCommand(program: Command): void {
  program
    .command('stop')
    .description('stops the system of npm start on the data folder, as Ctrl-C does, and waits until it has ended')
    .action(async (_: unknown, command: Command) => print(await stop(), command.optsWithGlobals<{ json?: boolean }>()));
}

async function stop(): Promise<CommandResult> {
  const { dataDir } = readCliConfig();
  const running = await runningSystem(dataDir);
  if (running === undefined) return { json: { stopped: false, dataDir }, text: `No system runs on ${dataDir}.` };
  const { launcher, addresses } = running;
  sendStop(launcher.pid);
  if (!(await endsWithin(launcher, waitMs)))
    throw new CliError(`Process ${launcher.pid} did not stop: it is still running after ${waitMs / 1_000} s.`);
  const own = Object.values(addresses?.givenEngines ?? {}).filter((address) => address !== null);
  const rest = own.length === 0 ? '' : ` Engines of your own are still running: ${own.join(', ')}.`;
  return {
    json: { stopped: true, dataDir: running.dataDir },
    text: `Stopped the system on ${running.dataDir}.${rest}`,
  };
}

function sendStop(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The process has ended meanwhile.
    if (code === 'ESRCH') return;
    if (code !== 'EPERM') throw error;
    throw new CliError(`Process ${pid} belongs to another user: run "millrace stop" as that user.`, { cause: error });
  }
}
