// npm start: the whole product on this machine, until Ctrl-C.
import { EngineStartError } from '@millrace/engines/engine-error.ts';
import { ConfigError } from '@millrace/runtime/config.ts';
import { hideSecrets } from '@millrace/runtime/logs/hide-secrets.ts';
import { ArgumentError, parseArguments, usageWith } from './arguments.ts';
import { readDataFolder, readLauncherConfig } from './config.ts';
import { BrokenFileError, DataFolderTakenError, DataFolderUnusableError } from './data-folder.ts';
import { writeFailure } from './folder-state/unwritable-reason.ts';
import { GivenEngineError } from './given-engines/given-engine-error.ts';
import { portsOf } from './stored-ports.ts';
import { launch } from './launch.ts';
import { NoBrokerError } from './log-location.ts';
import { PortTakenError } from './ports.ts';
import { say } from './progress.ts';
import { runningMessage } from './ready-message.ts';
import { demoEndpoint } from './seed.ts';

const stopDeadlineMs = 9_800;
/** Errors that users can solve: their message is enough, without a stack trace. */
const forUsers = [
  BrokenFileError,
  ArgumentError,
  ConfigError,
  EngineStartError,
  DataFolderTakenError,
  DataFolderUnusableError,
  GivenEngineError,
  NoBrokerError,
  PortTakenError,
];
const stopping = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
// The bootstrap that started this process is gone, and nothing else would stop it.
if (process.connected) process.on('disconnect', () => stopping.abort());
// A closed terminal or pipe is no reason to stop, and must not interrupt the steps of a stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
stopping.signal.addEventListener('abort', () => {
  say('Stopping …');
  setTimeout(() => process.exit(1), stopDeadlineMs).unref();
});

try {
  const { isHelp, ...given } = parseArguments(process.argv.slice(2));
  if (isHelp) {
    const folder = readDataFolder();
    process.stdout.write(`${usageWith(folder, portsOf(folder))}\n`);
    process.exit(0);
  }
  await launch(readLauncherConfig(given), readDataFolder(), stopping.signal);
  process.exit(0);
} catch (error) {
  if (error instanceof DataFolderTakenError && error.local !== undefined) {
    process.stdout.write(runningMessage(error.local, demoEndpoint, error.root, error.pid));
    process.exit(0);
  }
  const expected = forUsers.some((kind) => error instanceof kind);
  const sentence = expected ? hideSecrets((error as Error).message) : writeFailure(error, readDataFolder());
  process.stderr.write(`\n${sentence ?? describe(error)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined
    ? hideSecrets(error.stack ?? error.message)
    : `${hideSecrets(error.message)}\n${describe(error.cause)}`;
}
