// A real Kafka broker on this machine, on 127.0.0.1 (PORT is 9092 when not given), its data in DIR:
//   npm run kafka -- start|run|stop|kill|status DIR [PORT]
import { fork } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineStartError } from '@millrace/engines/engine-error.ts';
import { runningEngine } from '@millrace/engines/data-dir-claim.ts';
import { startKafka } from '@millrace/engines/kafka.ts';
import { endsWithin } from '@millrace/runtime/process-identity.ts';

/** Last argument of the process that `start` leaves running. */
const reported = 'told-by-start';
const isReported = process.argv.at(-1) === reported;

const usage = `usage: npm run kafka -- <command> DIR [PORT]
  start   starts the broker in the background and returns when it takes requests
  run     runs the broker in the foreground, until Ctrl-C
  stop    stops it cleanly
  kill    ends it like a crash (kill -9)
  status  shows whether it runs
`;

/** Runs the broker in this process's care. */
async function run(dir: string, port: number): Promise<number> {
  const logFile = join(dir, 'broker.log');
  const engine = await startKafka({ dataDir: dir, port, logFile, say });
  say(`Kafka listens on ${engine.address} (process ${engine.pid}, log in ${logFile})`);
  if (isReported) process.send?.({ ready: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void engine.stop());
  const { code, signal } = await engine.exited;
  say(`Kafka has stopped (${signal ?? `code ${code}`})`);
  // 143: it ended on SIGTERM.
  return code === 0 || code === 143 || signal === 'SIGTERM' ? 0 : 1;
}

/** Starts a process that runs the broker, and leaves it. What that one says comes over the channel: it outlives this terminal. */
async function start(dir: string, port: number): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), ['run', dir, String(port), reported], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const code = await new Promise<number>((done) => {
    child.on('message', (message: { line: string } | { ready: true }) =>
      'ready' in message ? done(0) : say(message.line),
    );
    child.once('exit', (exitCode) => done(exitCode ?? 1));
  });
  if (child.connected) child.disconnect();
  child.unref();
  return code;
}

async function end(dir: string, signal: NodeJS.Signals): Promise<number> {
  const engine = await runningEngine(dir);
  if (engine === undefined) {
    say('not running');
    return 0;
  }
  process.kill(engine.pid, signal);
  if (await endsWithin(engine, 30_000)) return 0;
  say(`process ${engine.pid} has not ended within 30 s`);
  return 1;
}

async function status(dir: string): Promise<number> {
  const engine = await runningEngine(dir);
  say(engine === undefined ? 'not running' : `running as process ${engine.pid}`);
  return engine === undefined ? 1 : 0;
}

function say(line: string, to: NodeJS.WriteStream = process.stdout): void {
  if (isReported && process.connected) process.send?.({ line });
  else to.write(`${line}\n`);
}

async function main(command: string | undefined, folder: string | undefined, portText = '9092'): Promise<number> {
  const port = Number(portText);
  if (folder !== undefined && Number.isInteger(port) && port > 0 && port < 65_536) {
    const dir = resolve(folder);
    if (command === 'start') return await start(dir, port);
    if (command === 'run') return await run(dir, port);
    if (command === 'stop') return await end(dir, 'SIGTERM');
    if (command === 'kill') return await end(dir, 'SIGKILL');
    if (command === 'status') return await status(dir);
  }
  process.stderr.write(usage);
  return 2;
}

try {
  process.exit(await main(...(process.argv.slice(2) as [string?, string?, string?])));
} catch (error) {
  if (!(error instanceof EngineStartError)) throw error;
  say(error.message, process.stderr);
  process.exit(1);
}
