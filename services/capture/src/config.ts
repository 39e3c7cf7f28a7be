import type { BlockList } from 'node:net';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import { postgresSettings } from '@millrace/postgres/settings.ts';
import { ConfigError, readConfig, SettingError, type ConfigOf, type Setting } from '@millrace/runtime/config.ts';
import { operationsSettings } from '@millrace/runtime/operations/operations-server.ts';
import { flag, integer, logLevelSetting, optionalText, text, url } from '@millrace/runtime/settings.ts';
import { withoutEnd } from '@millrace/runtime/without-end.ts';
import { AddressError, parseAddresses } from './http/client-address.ts';

const trustedProxies: Setting<BlockList | null> = {
  variable: 'CAPTURE_TRUSTED_PROXIES',
  description: 'addresses and ranges, with commas between, of proxies whose X-Forwarded-For is believed; unset: none',
  secret: false,
  defaultText: '',
  parse: (value) => {
    if (value === undefined) return null;
    try {
      return parseAddresses(value);
    } catch (error) {
      if (!(error instanceof AddressError)) throw error;
      throw new SettingError(`holds "${error.message}", which is neither an address nor a range`);
    }
  },
};

const pathPrefix: Setting<string> = {
  variable: 'CAPTURE_PATH_PREFIX',
  description:
    'path below which all routes are served too, such as /ingest, for proxies that do not take it away; empty: none',
  secret: false,
  defaultText: '',
  parse: (value = '') => {
    const prefix = withoutEnd(value.trim(), '/');
    if (prefix !== '' && !/^(?:\/[\w.~-]+)+$/.test(prefix)) throw new SettingError('must be a path such as /ingest');
    return prefix;
  },
};

/** Every setting of capture. */
export const captureSettings = {
  host: text('HOST', { description: 'address to listen on', default: '127.0.0.1' }),
  port: integer('CAPTURE_PORT', {
    description: 'port of the capture service; 0: any free one',
    default: 8000,
    max: 65_535,
  }),
  operations: operationsSettings(8010),
  apiUrl: optionalText('PUBLIC_URL', {
    description:
      'address of the management API as clients see it: in its links, else the host of each request, and in what capture replies to requests for the API',
  }),
  processes: integer('CAPTURE_PROCESSES', {
    description: 'processes that share the port of capture; more than 1 only when the event log is in Kafka',
    default: 1,
    min: 1,
    max: 64,
  }),
  logLevel: logLevelSetting,
  bodyBytesMax: integer('CAPTURE_BODY_BYTES_MAX', {
    description: 'largest body as sent, in bytes',
    default: 20 * 1024 * 1024,
    min: 1,
  }),
  inflatedBytesMax: integer('CAPTURE_INFLATED_BYTES_MAX', {
    description: 'largest body after decompression, in bytes',
    default: 64 * 1024 * 1024,
    min: 1,
  }),
  bytesInFlightMax: integer('CAPTURE_BYTES_IN_FLIGHT_MAX', {
    description:
      'most bytes of bodies in memory, in each process; beyond it the slowest unfinished bodies are answered with 503',
    default: 256 * 1024 * 1024,
    min: 1,
  }),
  bodyIdleMsMax: integer('CAPTURE_BODY_IDLE_MS_MAX', {
    description: 'longest wait for the next piece of a body, in milliseconds',
    default: 10_000,
    min: 1,
  }),
  bodyBytesPerSecondMin: integer('CAPTURE_BODY_BYTES_PER_SECOND_MIN', {
    description:
      'least bytes a second of a body that has not ended, on the average of each CAPTURE_BODY_RATE_MS; 0: none',
    default: 500,
  }),
  bodyRateMs: integer('CAPTURE_BODY_RATE_MS', {
    description: 'interval at which the rate of a body is checked, in milliseconds',
    default: 10_000,
    min: 1,
  }),
  senderBytesMax: integer('CAPTURE_SENDER_BYTES_MAX', {
    description:
      'bytes in slow, unfinished bodies of one address (one /64 of IPv6) beyond which these end first when memory is short',
    default: 32 * 1024 * 1024,
  }),
  bodyTotalMsMax: integer('CAPTURE_BODY_TOTAL_MS_MAX', {
    description: 'longest time for a whole body, in milliseconds',
    default: 60_000,
    min: 1,
  }),
  stopDelayMs: integer('CAPTURE_STOP_DELAY_MS', {
    description:
      'time for which capture still accepts requests after a stop began, in milliseconds; it reports that it is not ready, and closes each connection after its reply',
    default: 300,
    max: 3_000,
  }),
  tokenRefreshMs: integer('CAPTURE_TOKEN_REFRESH_MS', {
    description: 'how often known project tokens are looked up again, in milliseconds',
    default: 10_000,
    min: 10,
  }),
  trustedProxies,
  pathPrefix,
  limits: {
    tokenRate: integer('CAPTURE_TOKEN_RATE', {
      description:
        'events per second of one project token, in each process, above which requests are answered with 429; 0: not limited',
      default: 0,
    }),
    tokenBurst: integer('CAPTURE_TOKEN_BURST', {
      description: 'events of one project token at once, before its rate counts',
      default: 10_000,
      min: 1,
    }),
    projectRate: integer('CAPTURE_PROJECT_RATE', {
      description:
        'events per second that one project has in the main lane, in all processes of a machine together, as soon as there are several projects; what is beyond goes to the overflow lane; 0: not limited',
      default: 2_000,
    }),
    projectBurst: integer('CAPTURE_PROJECT_BURST', {
      description: 'events of one project at once in the main lane, before its rate counts',
      default: 10_000,
      min: 1,
    }),
    keyRate: integer('CAPTURE_KEY_RATE', {
      description:
        'events per second of one distinct id, in each process, above which they go to the overflow lane; 0: not limited',
      default: 0,
    }),
    keyBurst: integer('CAPTURE_KEY_BURST', {
      description: 'events of one distinct id at once, before its rate counts',
      default: 1_000,
      min: 1,
    }),
    overflowKeepsKey: flag('CAPTURE_OVERFLOW_KEEPS_KEY', {
      description:
        'whether events of a distinct id above its rate stay in order in the overflow lane, or are spread over its partitions',
      default: true,
    }),
  },
  redisUrl: url('REDIS_URL', ['redis', 'rediss'], {
    description: 'Redis over which processes share what project tokens name; unset: each looks for itself',
    default: '',
  }),
  postgres: postgresSettings,
  eventLog: eventLogSettings,
};

export type CaptureConfig = ConfigOf<typeof captureSettings>;

/** Reads the settings of this process. @throws {ConfigError} naming everything that is wrong. */
export function readCaptureConfig(environment: Record<string, string | undefined> = process.env): CaptureConfig {
  const config = readConfig(captureSettings, environment);
  if (config.processes > 1 && config.eventLog.kafka.brokers === null) {
    throw new ConfigError([
      'CAPTURE_PROCESSES must be 1 unless KAFKA_BROKERS is set: on an event log in a folder, one process writes',
    ]);
  }
  return config;
}
