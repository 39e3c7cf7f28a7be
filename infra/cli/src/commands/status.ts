import type { Command } from 'commander';
import { describeError } from '@millrace/runtime/logs/describe-error.ts';
import { CliError } from '../cli-error.ts';
import { readCliConfig } from '../config.ts';
import { type LocalAddresses, type RunningSystem, runningSystem } from '../local-system.ts';
import { type CommandResult, print } from '../run-command.ts';

const answerMsMax = 2_000;

interface ServiceState {
  ready: boolean;
  /** Parts that are not ready, each with its reason. */
  reasons: Record<string, string>;
}

/** `status` */
export function addStatusCommand(program: Command): void {
  program
    .command('status')
    .description('shows whether the system of npm start on the data folder is ready, and its addresses')
    .option(
      '--env',
      'prints shell variables with the names that the docs use: eval "$(npm run -s millrace -- status --env)"',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<{ env?: boolean; json?: boolean }>();
      const { dataDir } = readCliConfig();
      const running = await runningSystem(dataDir);
      if (running === undefined)
        throw new CliError(`No system runs on ${dataDir}. Start one with "npm start", or set MILLRACE_DATA_DIR.`);
      if (options.env === true) return print({ json: variables(running), text: exports(running) }, options);
      const { result, ready } = await describe(running);
      print(result, options);
      if (!ready) process.exitCode = 1;
    });
}

async function describe({
  dataDir,
  launcher,
  addresses,
}: RunningSystem): Promise<{ result: CommandResult; ready: boolean }> {
  const head = { running: true, dataDir, process: launcher.pid };
  if (addresses === undefined) {
    const text = `Millrace on ${dataDir} (process ${launcher.pid}) is starting or stopping: it is not ready.`;
    return { result: { json: { ...head, ready: false, services: {} }, text }, ready: false };
  }
  const services = await serviceStates(addresses);
  const ready = Object.values(services).every((state) => state.ready);
  const { captureUrl, apiUrl, projectId, projectToken, personalApiKey, givenEngines } = addresses;
  const lines = Object.entries(services).map(([name, state]) => {
    const url = { capture: captureUrl, 'management-api': apiUrl }[name] ?? '';
    return `  ${name.padEnd(16)}${(state.ready ? 'ready' : 'not ready').padEnd(11)}${url}`.trimEnd() + reasonsOf(state);
  });
  const text = `Millrace runs on ${dataDir} (process ${launcher.pid}).

${[...lines, ...engineLines(addresses)].join('\n')}

  project         ${projectId}
  project token   ${projectToken}
  personal key    ${personalApiKey}`;
  const json = { ...head, ready, services, captureUrl, apiUrl, projectId, projectToken, givenEngines };
  return { result: { json, text }, ready };
}

/** Lines with the addresses of the user's own engines. Services report an unreachable engine themselves. */
const engineLines = ({ givenEngines }: LocalAddresses): string[] =>
  Object.entries(givenEngines ?? {}).flatMap(([name, address]) =>
    address === null ? [] : [`  ${name.padEnd(16)}${'your own'.padEnd(11)}${address}`],
  );

const reasonsOf = ({ reasons }: ServiceState): string =>
  Object.entries(reasons)
    .map(([name, reason]) => `\n      ${name}: ${reason}`)
    .join('');

async function serviceStates({ operationsUrls }: LocalAddresses): Promise<Record<string, ServiceState>> {
  const names = Object.entries(operationsUrls);
  return Object.fromEntries(await Promise.all(names.map(async ([name, url]) => [name, await stateOf(url)] as const)));
}

async function stateOf(url: string): Promise<ServiceState> {
  try {
    const reply = await fetch(`${url}/_readiness`, { signal: AbortSignal.timeout(answerMsMax) });
    const body = (await reply.json()) as { not_ready?: Record<string, string> };
    return { ready: reply.ok, reasons: body.not_ready ?? {} };
  } catch (error) {
    return { ready: false, reasons: { [url]: describeError(error).message } };
  }
}

function variables({ dataDir, addresses }: RunningSystem): Record<string, string> {
  if (addresses === undefined)
    throw new CliError(`The system on ${dataDir} is starting or stopping: it has no addresses now.`);
  const { captureUrl, apiUrl, projectId, projectToken, personalApiKey } = addresses;
  return { CAPTURE: captureUrl, TOKEN: projectToken, API: apiUrl, PROJECT: String(projectId), KEY: personalApiKey };
}

/** Shell commands that set the variables. The values need no escaping: addresses, ids and keys hold no quotes. */
const exports = (running: RunningSystem): string =>
  Object.entries(variables(running))
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n');
