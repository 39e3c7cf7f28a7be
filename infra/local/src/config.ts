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
import { integer, optionalText } from '@millrace/runtime/settings.ts';

/** A port that must be this one, or null: then the next free one is taken. */
function optionalPort(variable: string, description: string): Setting<number | null> {
  const port = integer(variable, { description, min: 1, max: 65_535 });
  return { ...port, defaultText: '', parse: (text) => (text === undefined ? null : port.parse(text)) };
}

export const launcherSettings = {
  dataDir: optionalText('MILLRACE_DATA_DIR', {
    description: 'where the local system keeps its data; .millrace in the checkout unless set',
  }),
  ports: {
    capture: optionalPort('CAPTURE_PORT', 'port of capture; 8000 or the next free one unless set'),
    'management-api': optionalPort('API_PORT', 'port of the management API; 8001 or the next free one unless set'),
    consumer: optionalPort(
      'CONSUMER_PORT',
      "operators' port of the consumer, which has no other; 8002 or the next free one unless set",
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

/** The data folder, whatever the other settings are worth. */
export function readDataFolder(): string {
  const { dataDir } = readConfig({ dataDir: launcherSettings.dataDir }, process.env);
  return resolve(dataDir ?? join(import.meta.dirname, '../../../.millrace'));
}

/**
 * The settings, with the brokers of the command line when there are some.
 * @throws {ConfigError} naming every variable that cannot be used.
 */
export function readLauncherConfig(brokers: string | null): LauncherConfig {
  const config = readConfig(launcherSettings, { ...process.env, ...(brokers !== null && { KAFKA_BROKERS: brokers }) });
  if (config.captureProcesses > 1 && config.kafka.brokers === null) {
    throw new ConfigError([
      'CAPTURE_PROCESSES must be 1 unless the event log is in Kafka: npm start -- --kafka host:port',
    ]);
  }
  return config;
}

/** Some shells set this to the name of the machine: services listen on this machine alone. */
const notPassedOn = ['HOST', 'OPERATIONS_HOST'];

/** What a service's process gets from the launcher's environment: its own settings, and what any process needs. */
export function inheritedEnvironment(settings: Settings): Record<string, string> {
  const kept = [
    'PATH',
    'HOME',
    'LANG',
    'TZ',
    'LOG_LEVEL',
    'TMPDIR',
    ...listSettings(settings).map(({ variable }) => variable),
  ].filter((name) => !notPassedOn.includes(name));
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
