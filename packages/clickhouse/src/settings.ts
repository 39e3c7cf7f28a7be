import { insertMsMax } from '@millrace/contracts/limits.ts';
import { integer, text, url } from '@millrace/runtime/settings.ts';

/** Settings of a service's access to ClickHouse. Each service has a user of its own: `writer`, `tenant`, `materializer`. */
export const clickhouseSettings = {
  url: url('CLICKHOUSE_URL', ['http', 'https'], {
    description: 'ClickHouse over HTTP, without user: http://host:port',
    secret: false,
  }),
  user: text('CLICKHOUSE_USER', { description: 'user of ClickHouse for this service' }),
  password: text('CLICKHOUSE_PASSWORD', { description: 'password of that user', secret: true }),
  requestTimeoutMs: integer('CLICKHOUSE_REQUEST_TIMEOUT_MS', {
    description: 'milliseconds without a response of ClickHouse after which a request fails',
    default: insertMsMax,
    min: 100,
    // Builds of materialized endpoints rely on it.
    max: insertMsMax,
  }),
};
