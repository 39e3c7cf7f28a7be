import { clickhouseSettings } from '@millrace/clickhouse/settings.ts';
import { storageSettings } from '@millrace/object-storage/storage-settings.ts';
import { postgresSettings } from '@millrace/postgres/settings.ts';
import { readConfig, type ConfigOf } from '@millrace/runtime/config.ts';
import { operationsSettings } from '@millrace/runtime/operations/operations-server.ts';
import { flag, integer, logLevelSetting, optionalText, text, url } from '@millrace/runtime/settings.ts';
import { throttleSettings } from './auth/throttle-settings.ts';
import { languageModelSettings } from './language-model/language-model-settings.ts';
import { mailSettings } from './mail/mail-settings.ts';
import { buildSettings } from './materialization/build-settings.ts';

/** Every setting of this service. */
export const settings = {
  host: text('HOST', { description: 'address to listen on', default: '127.0.0.1' }),
  port: integer('API_PORT', { description: 'port of the management API', default: 8001, max: 65_535 }),
  operations: operationsSettings(8011),
  publicUrl: optionalText('PUBLIC_URL', {
    description: 'address of the API as clients see it; default: the host of each request',
  }),
  captureUrl: url('CAPTURE_PUBLIC_URL', ['http', 'https'], {
    description:
      'address of capture as clients reach it: the reference at /docs then shows its API too, and replies to requests for capture name it',
    default: '',
    secret: false,
  }),
  logLevel: logLevelSetting,
  bodyBytesMax: integer('API_BODY_BYTES_MAX', {
    description: 'largest request body in bytes',
    default: 1_048_576,
    min: 1024,
  }),
  llmBodyBytesMax: integer('LLM_BODY_BYTES_MAX', {
    description: 'largest body in bytes of requests that bring LLM events or traces as data',
    default: 16_777_216,
    min: 1024,
    max: 67_108_864,
  }),
  unsentBytesMax: integer('API_UNSENT_BYTES_MAX', {
    description: 'most bytes of replies that wait in memory for slow clients; beyond, the slowest are cut',
    default: 268_435_456,
    min: 1_048_576,
  }),
  bodiesBytesMax: integer('API_BODIES_BYTES_MAX', {
    description: 'most bytes of request bodies that are arriving; beyond it the slowest are answered with 503',
    default: 67_108_864,
    min: 1_048_576,
  }),
  throttles: throttleSettings,
  redisUrl: url('REDIS_URL', ['redis', 'rediss'], {
    description:
      'Redis in which processes count the calls of keys and running queries, and keep results together; unset: each does for itself',
    default: '',
  }),
  mail: mailSettings,
  storage: storageSettings,
  alertPrivateAllowed: flag('ALERT_WEBHOOK_PRIVATE_ALLOWED', {
    description:
      'whether webhooks of alerts may go to private and local addresses, as of receivers in your own network; link-local ones are refused all the same',
    default: false,
  }),
  inviteDays: integer('INVITE_DAYS', {
    description: 'days after which an invite to an organization expires',
    default: 3,
    min: 1,
    max: 365,
  }),
  projectsPerOrganizationMax: integer('PROJECTS_PER_ORGANIZATION_MAX', {
    description:
      'most projects that an organization may make by the API, unless the command line has said otherwise of it',
    default: 100,
    min: 0,
  }),
  freshnessMinSeconds: integer('ENDPOINT_FRESHNESS_MIN_SECONDS', {
    description:
      'lowest freshness that an endpoint may have, in seconds: with 60, 10 or 0 that is a choice besides those from 900 on',
    default: 900,
    min: 0,
    max: 900,
  }),
  legal: {
    documentsDir: optionalText('LEGAL_DOCUMENTS_DIR', {
      description:
        'folder with the texts of legal documents, BAA.txt and DPA.txt; for those that are not there, built-in ones',
    }),
    operatorName: text('LEGAL_OPERATOR_NAME', {
      description: 'name of your company in legal documents',
      default: 'the operator of this Millrace system',
    }),
    baaAllowed: flag('LEGAL_BAA_ALLOWED', {
      description: 'whether organizations may submit a BAA for signature',
      default: true,
    }),
  },
  languageModel: languageModelSettings,
  postgres: postgresSettings,
  clickhouse: {
    url: clickhouseSettings.url,
    user: text('CLICKHOUSE_TENANT_USER', { description: 'user that runs the queries of endpoints', default: 'tenant' }),
    password: text('CLICKHOUSE_TENANT_PASSWORD', { description: 'its password', secret: true }),
    recorderPassword: optionalText('CLICKHOUSE_RECORDER_PASSWORD', {
      description:
        "password of ClickHouse's user recorder, who keeps the logs of endpoints' runs and the copies of reviews for SQL; there are none unless set",
      secret: true,
    }),
    cluster: optionalText('CLICKHOUSE_CLUSTER', {
      description:
        'cluster on which migrate creates replicated tables; none unless set. With one no endpoint is materialized',
    }),
    materializerPassword: optionalText('CLICKHOUSE_MATERIALIZER_PASSWORD', {
      description:
        "password of ClickHouse's user materializer, who builds the tables of materialized endpoints; none are built unless set",
      secret: true,
    }),
    tokenSecret: text('CLICKHOUSE_TOKEN_SECRET', { description: "secret of the row policies' tokens", secret: true }),
  },
  builds: buildSettings,
  queries: {
    executionSecondsMax: integer('QUERY_SECONDS_MAX', {
      description: 'longest run of a query in seconds',
      default: 60,
      min: 1,
      max: 600,
    }),
    memoryBytesMax: integer('QUERY_MEMORY_BYTES_MAX', {
      description: 'most memory of a query in bytes',
      default: 2_000_000_000,
      min: 1,
      max: 4_000_000_000,
    }),
    resultRowsMax: integer('QUERY_RESULT_ROWS_MAX', {
      description: 'most rows of a result',
      default: 50_000,
      min: 1,
      max: 999_999,
    }),
    resultBytesMax: integer('QUERY_RESULT_BYTES_MAX', {
      description: 'largest result in bytes',
      default: 67_108_864,
      min: 1,
      max: 1_000_000_000,
    }),
    arrivingBytesMax: integer('QUERY_ARRIVING_BYTES_MAX', {
      description:
        'most bytes of results that are arriving from ClickHouse, all together; beyond it the largest is answered with 503',
      default: 268_435_456,
      min: 1_048_576,
    }),
    readRowsMax: integer('QUERY_READ_ROWS_MAX', {
      description: 'most rows that a query may read',
      default: 5_000_000_000,
      min: 1,
      max: 20_000_000_000,
    }),
    readBytesMax: integer('QUERY_READ_BYTES_MAX', {
      description: 'most bytes that a query may read',
      default: 500_000_000_000,
      min: 1,
      max: 1_000_000_000_000,
    }),
    threadsMax: integer('QUERY_THREADS_MAX', { description: 'most threads of a query', default: 4, min: 1, max: 16 }),
    runningMax: integer('QUERY_RUNNING_MAX', { description: 'most queries that run at a time', default: 40, min: 1 }),
    runningPerOrganizationMax: integer('QUERY_RUNNING_PER_ORGANIZATION_MAX', {
      description: 'most of them of one organization, all its projects together',
      default: 20,
      min: 1,
    }),
    runningPerProjectMax: integer('QUERY_RUNNING_PER_PROJECT_MAX', {
      description: 'most of them of one project',
      default: 10,
      min: 1,
    }),
    runningPerKeyMax: integer('QUERY_RUNNING_PER_KEY_MAX', {
      description: 'most of them of one key, or run token, of a project',
      default: 8,
      min: 1,
    }),
    waitMsMax: integer('QUERY_WAIT_MS_MAX', {
      description: 'longest wait of a query or stream for a full limit, in milliseconds; 0: it is refused at once',
      default: 2000,
      min: 0,
      max: 60_000,
    }),
    streams: {
      rowsMax: integer('QUERY_STREAM_ROWS_MAX', {
        description: 'most rows of a streamed result',
        default: 10_000_000,
        min: 1,
        max: 999_999_999,
      }),
      bytesMax: integer('QUERY_STREAM_BYTES_MAX', {
        description: 'most bytes of a streamed result',
        default: 2_000_000_000,
        min: 1,
        max: 100_000_000_000,
      }),
      secondsMax: integer('QUERY_STREAM_SECONDS_MAX', {
        description: 'longest stream in seconds, the time that its reader takes included',
        default: 600,
        min: 1,
        max: 600,
      }),
      runningMax: integer('QUERY_STREAMS_MAX', {
        description: 'most streams at a time, beside other queries',
        default: 10,
        min: 1,
      }),
      readerSecondsMax: integer('QUERY_STREAM_READER_SECONDS_MAX', {
        description:
          'seconds for which a reader may take less than 16 kB/s of its stream while other streams are refused; then it ends',
        default: 30,
        min: 1,
        max: 600,
      }),
      runningPerOrganizationMax: integer('QUERY_STREAMS_PER_ORGANIZATION_MAX', {
        description: 'most of them of one organization, all its projects together',
        default: 5,
        min: 1,
      }),
      runningPerProjectMax: integer('QUERY_STREAMS_PER_PROJECT_MAX', {
        description: 'most of them of one project',
        default: 3,
        min: 1,
      }),
      runningPerKeyMax: integer('QUERY_STREAMS_PER_KEY_MAX', {
        description: 'most of them of one key, or run token, of a project',
        default: 2,
        min: 1,
      }),
    },
    tables: {
      runningMax: integer('QUERY_TABLES_MAX', {
        description: 'most runs at a time that tables of materialized endpoints answer, beside other queries',
        default: 40,
        min: 1,
      }),
      runningPerOrganizationMax: integer('QUERY_TABLES_PER_ORGANIZATION_MAX', {
        description: 'most of them of one organization, all its projects together',
        default: 20,
        min: 1,
      }),
      runningPerProjectMax: integer('QUERY_TABLES_PER_PROJECT_MAX', {
        description: 'most of them of one project',
        default: 10,
        min: 1,
      }),
      runningPerKeyMax: integer('QUERY_TABLES_PER_KEY_MAX', {
        description: 'most of them of one key, or run token, of a project',
        default: 10,
        min: 1,
      }),
    },
    cacheBytesMax: integer('QUERY_CACHE_BYTES_MAX', {
      description: 'most bytes of cached results in this process',
      default: 134_217_728,
      min: 1,
    }),
  },
};

export type Config = ConfigOf<typeof settings>;

/** The service's settings from the environment. @throws {ConfigError} naming everything that is wrong */
export function configFromEnvironment(environment: Record<string, string | undefined> = process.env): Config {
  return readConfig(settings, environment);
}
