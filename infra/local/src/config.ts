import { join, resolve } from 'node:path';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import {
  ConfigError,
  type ConfigOf,
  listSettings,
  readConfig,
  type Setting,
  type Settings,
} from '@millrace/runtime/config.ts';
import { integer, optionalText, text, url } from '@millrace/runtime/settings.ts';
import type { LauncherArguments } from './arguments.ts';
import { clickhouseAddress, postgresAddress } from './given-engines/addresses.ts';

/** The setting of a fixed port; null: the next free port is used. */
function optionalPort(variable: string, description: string): Setting<number | null> {
  const port = integer(variable, { description, min: 1, max: 65_535 });
  return { ...port, defaultText: '', parse: (text) => (text === undefined ? null : port.parse(text)) };
}

/** The setting of an engine of the user's own: its administrator's address; null: the engine from npm is started. */
function optionalAddress<T>(
  variable: string,
  protocols: readonly string[],
  description: string,
  parse: (text: string) => T,
): Setting<T | null> {
  const address = url(variable, protocols, { description });
  return {
    ...address,
    defaultText: '',
    parse: (text) => (text === undefined ? null : parse(address.parse(text))),
  };
}

export const launcherSettings = {
  dataDir: optionalText('MILLRACE_DATA_DIR', {
    description: 'where the local system keeps its data; .millrace in the checkout unless set',
  }),
  host: text('MILLRACE_HOST', {
    description: 'address on which capture and the management API listen; 0.0.0.0 lets other machines in',
    default: '127.0.0.1',
  }),
  ports: {
    capture: optionalPort('CAPTURE_PORT', 'port of capture; 8000 or the next free one unless set'),
    'management-api': optionalPort('API_PORT', 'port of the management API; 8001 or the next free one unless set'),
    consumer: optionalPort(
      'CONSUMER_PORT',
      "operators' port of the consumer, which has no other; 8002 or the next free one unless set",
    ),
  },
  engines: {
    clickhouse: optionalAddress(
      'MILLRACE_CLICKHOUSE_URL',
      ['http', 'https'],
      "a ClickHouse of your own, as its administrator: http://user:password@host:port; npm's is started unless set",
      clickhouseAddress,
    ),
    postgres: optionalAddress(
      'MILLRACE_POSTGRES_URL',
      ['postgres', 'postgresql'],
      "a Postgres of your own, as its administrator: postgres://user:password@host:port/database; npm's is started unless set",
      postgresAddress,
    ),
  },
  captureProcesses: integer('CAPTURE_PROCESSES', {
    description: 'processes of capture; more than 1 only on Kafka',
    default: 1,
    min: 1,
    max: 64,
  }),
  consumerProcesses: integer('CONSUMER_PROCESSES', {
    description: 'processes that share the work of the consumer',
    default: 1,
    min: 1,
    max: 64,
  }),
  kafka: {
    ...eventLogSettings.kafka,
    topicPrefix: optionalText('KAFKA_TOPIC_PREFIX', {
      description: 'what the names of topics and groups begin with; unless set, what no other data folder has',
    }),
  },
};

export type LauncherConfig = ConfigOf<typeof launcherSettings>;

/** The path of the data folder; the other settings may be wrong. @throws {ConfigError} */
export function readDataFolder(): string {
  const { dataDir } = readConfig({ dataDir: launcherSettings.dataDir }, process.env);
  return resolve(dataDir ?? join(import.meta.dirname, '../../../.millrace'));
}

/**
 * The launcher's settings. Arguments of the command line win over variables.
 * @throws {ConfigError} naming every variable that cannot be used
 */
export function readLauncherConfig({ kafka, clickhouse, postgres }: Omit<LauncherArguments, 'isHelp'>): LauncherConfig {
  const config = readConfig(launcherSettings, {
    ...process.env,
    ...(kafka !== null && { KAFKA_BROKERS: kafka }),
    ...(clickhouse !== null && { MILLRACE_CLICKHOUSE_URL: clickhouse }),
    ...(postgres !== null && { MILLRACE_POSTGRES_URL: postgres }),
  });
  if (config.captureProcesses > 1 && config.kafka.brokers === null) {
    throw new ConfigError([
      'CAPTURE_PROCESSES must be 1 unless the event log is in Kafka: npm start -- --kafka host:port',
    ]);
  }
  return config;
}

/** Variables that services do not inherit: MILLRACE_HOST decides where they listen. Some shells set HOST to the name of the machine. */
const notPassedOn = ['HOST', 'OPERATIONS_HOST'];

/** The part of the launcher's environment that a service inherits: its own settings, and variables that any process needs. */
export function inheritedEnvironment(settings: Settings): Record<string, string> {
  const inherited = [
    'PATH',
    'HOME',
    'LANG',
    'TZ',
    'LOG_LEVEL',
    'TMPDIR',
    'NODE_COMPILE_CACHE',
    'NODE_DISABLE_COMPILE_CACHE',
    ...listSettings(settings).map(({ variable }) => variable),
  ].filter((name) => !notPassedOn.includes(name));
  return Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
