import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { claimDataDir } from './data-dir-claim.ts';
import { EngineStartError } from './engine-error.ts';
import { spawnEngine, type EngineProcess } from './engine-process.ts';
import { javaCommand, runTool } from './java.ts';
import { buildServerProperties } from './kafka-config.ts';
import { kafkaJars } from './kafka-jars.ts';
import { freePort, isPortFree } from './ports.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface StartKafkaOptions {
  /** Created when it is missing; stays between runs. */
  dataDir: string;
  /** TCP port of 127.0.0.1; any free one when not given. */
  port?: number | undefined;
  /** File of its output, at most twice 10 MB. Without it only the tail is held in memory. */
  logFile?: string | undefined;
  /** The Java heap. Default 512 MB; the process takes some 100 to 150 MB more. */
  heapMb?: number;
  /** Compiles less: ready after 60 % of the work, slower under load. For tests. */
  startsQuickly?: boolean;
  /** Settings of the broker, by Kafka's own names. */
  settings?: Readonly<Record<string, string | number>>;
  /** Called with a line for each step that takes long. */
  say?: (line: string) => void;
}

/** A start takes 3 to 10 s of work, more after a kill. */
const readyMsMax = 60_000;

export interface KafkaEngine extends EngineProcess {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
}

/**
 * Starts an Apache Kafka broker on the data folder and resolves when it takes requests. Needs Java 17 and, the first
 * time in a checkout, Maven.
 * @throws {EngineStartError} when the folder or the port is in use, Java or Maven is missing, or it does not get ready.
 */
export async function startKafka(options: StartKafkaOptions): Promise<KafkaEngine> {
  const { dataDir, logFile, heapMb = 512, startsQuickly = false } = options;
  const java = await javaCommand('kafka');
  const jars = await kafkaJars(options.say ?? (() => undefined));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const claim = await claimDataDir('kafka', dataDir);
  const port = options.port ?? (await freePort());
  // A port of another program would look like a broker that is ready.
  if (!(await isPortFree(port)))
    throw new EngineStartError('kafka', `port ${port} is taken by another program.`, 'Choose another one.');
  const configFile = await writeConfiguration(options, port);
  const common = [
    '-cp',
    join(jars, '*'),
    '-Dorg.slf4j.simpleLogger.showDateTime=true',
    '-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS',
  ];
  await format(dataDir, java, common, configFile);
  const light = startsQuickly ? ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] : [];
  const engine = await spawnEngine({
    name: 'kafka',
    command: java,
    args: [
      `-Xms${heapMb}m`,
      `-Xmx${heapMb}m`,
      '-XX:+ExitOnOutOfMemoryError',
      ...light,
      ...common,
      'kafka.Kafka',
      configFile,
    ],
    environment: { TZ: 'UTC', LANG: 'C.UTF-8' },
    logFile,
    stopSignal: 'SIGTERM',
  });
  await claim.record(engine);
  await waitUntilReady(engine, {
    // It listens once it has started, not before.
    isReady: () => isListening(port),
    deadlineMs: readyMsMax,
    advice: 'Look at the log; on a busy machine try again.',
  });
  return { ...engine, address: `127.0.0.1:${port}` };
}

async function writeConfiguration({ dataDir, settings }: StartKafkaOptions, port: number): Promise<string> {
  let controllerPort = await freePort();
  while (controllerPort === port) controllerPort = await freePort();
  const file = join(dataDir, 'server.properties');
  await writeFile(file, buildServerProperties({ dataDir: join(dataDir, 'data'), port, controllerPort, settings }), {
    mode: 0o600,
  });
  return file;
}

/** Gives a new folder the id of a new cluster. */
async function format(dataDir: string, java: string, common: readonly string[], configFile: string): Promise<void> {
  if (await isFormatted(dataDir)) return;
  const clusterId = randomBytes(16);
  // The tool takes a leading '-' of the id's text for an option.
  clusterId[0] = (clusterId[0] ?? 0) & 0x7f;
  const id = clusterId.toString('base64url');
  await runTool('kafka', java, [
    '-Xmx64m',
    '-XX:TieredStopAtLevel=1',
    ...common,
    'kafka.tools.StorageTool',
    'format',
    '-t',
    id,
    '-c',
    configFile,
  ]);
}

async function isFormatted(dataDir: string): Promise<boolean> {
  try {
    return (await readFile(join(dataDir, 'data/meta.properties'), 'utf8')).includes('cluster.id=');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    // Refused: not yet. The deadline is waitUntilReady's.
    socket.on('error', () => resolve(false));
  });
}
