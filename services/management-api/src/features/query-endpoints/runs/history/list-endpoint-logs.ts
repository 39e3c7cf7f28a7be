import { Integer, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { pageEnvelope, pageOf } from '@millrace/http/pagination.ts';
import { compileQuery, type CompiledQuery } from '@millrace/query-language/compile.ts';
import { projectRoute } from '../../context.ts';
import { endpointParams } from '../../endpoint-example.ts';
import { queryRows } from '../../../../queries/execute/query-rows.ts';
import { parseUrlTime } from '../../../../queries/definition/time-window.ts';
import { queryErrors } from '../../../../queries/execute/engine-errors.ts';
import { findEndpoint } from '../../store/find-endpoint.ts';
import { logSource } from '../../../../queries/log/run-record.ts';

const LogEntry = ObjectType(
  {
    log_source_id: StringType({ format: 'uuid', description: 'The endpoint.' }),
    instance_id: StringType({ format: 'uuid', description: 'The run: its `execution_id`.' }),
    timestamp: StringType({ format: 'date-time' }),
    level: StringType({ enum: ['INFO', 'ERROR'] }),
    message: StringType({
      examples: ['Endpoint run succeeded · path=inline cache=miss duration_ms=4 rows=1 version=1'],
    }),
  },
  { title: 'EndpointLogEntry' },
);
type LogEntry = Static<typeof LogEntry>;

/** Longest search text; no message is longer. The query language searches for texts of at most 1,000 bytes. */
const searchLengthMax = 250;

const LogQuery = ObjectType({
  limit: Optional(Integer({ minimum: 1, maximum: 500, description: 'Entries; default 50.' })),
  after: Optional(
    StringType({
      description: 'Only entries later than this time. ISO 8601; UTC where it names no zone.',
      examples: ['2026-01-02T03:04:05Z'],
    }),
  ),
  before: Optional(
    StringType({ description: 'Only entries earlier than this time.', examples: ['2026-01-02T03:04:05Z'] }),
  ),
  level: Optional(StringType({ description: 'Levels, separated by commas.', examples: ['ERROR'] })),
  search: Optional(
    StringType({
      maxLength: searchLengthMax,
      description: 'Text in the message, in upper or lower case.',
      examples: ['variable'],
    }),
  ),
  instance_id: Optional(
    StringType({ description: 'One run: its `execution_id`.', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] }),
  ),
});

const limitDefault = 50;
/** Outcomes of the runs of an endpoint, also of one that is switched off (contract/endpoints 7). */
export const listEndpointLogs = projectRoute({
  operationId: 'list_endpoint_logs',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/logs',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'List the outcomes of the runs of a query endpoint, newest first',
  description:
    'One entry for each run, visible within a second or two and stored for 90 days. Entries hold no values of variables. For the next page, send the `timestamp` of the last entry as `before`.',
  query: LogQuery,
  responses: { 200: pageOf(LogEntry) },
  errors: queryErrors,
  find: findEndpoint,
  async handler({ auth, context, found, query, request, signal }) {
    const limit = query.limit ?? limitDefault;
    const owner = {
      teamId: auth.project.id,
      organizationId: auth.project.organizationId,
      keyId: auth.caller.keyId,
      signal,
    };
    const rows = await queryRows<[string, string, string, LogEntry['level'], string]>(
      context.tenantEngine,
      logsQuery(found.endpoint.id, query, limit),
      owner,
    );
    const entries = rows.slice(0, limit).map(([log_source_id, instance_id, timestamp, level, message]): LogEntry => ({
      log_source_id,
      instance_id,
      timestamp,
      level,
      message,
    }));
    return pageEnvelope(
      new URL(context.baseUrl(request) + request.originalUrl),
      { limit, offset: 0 },
      entries.length,
      entries,
    );
  },
});

/** @throws {AppError} invalid_input */
function logsQuery(
  endpoint: string,
  { after, before, level = '', search = '', instance_id: instance = '' }: Static<typeof LogQuery>,
  limit: number,
): CompiledQuery {
  const levels = level
    .split(',')
    .map((name) => name.trim().toUpperCase())
    .filter((name) => name !== '');
  const values = {
    source: logSource,
    endpoint,
    after: readTime('after', after),
    before: readTime('before', before),
    levels,
    search: search.toLowerCase(),
    instance,
  };
  const conditions = [
    'log_source = {source}',
    'log_source_id = {endpoint}',
    values.after !== '' && 'timestamp > {after}',
    values.before !== '' && 'timestamp < {before}',
    values.levels.length > 0 && 'level IN {levels}',
    values.search !== '' && 'position(lowerUTF8(message), {search}) > 0',
    values.instance !== '' && 'instance_id = {instance}',
  ].filter((condition) => condition !== false);
  const text = `
    SELECT log_source_id, instance_id, timestamp, level, message FROM log_entries
    WHERE ${conditions.join(' AND ')}
    ORDER BY timestamp DESC, instance_id DESC`;
  return compileQuery({ text, values, limit, rowsMax: limit });
}

/** The time of a parameter; empty when the parameter is not given. @throws {AppError} invalid_input */
function readTime(name: 'after' | 'before', text = ''): string {
  if (text.trim() === '') return '';
  const time = parseUrlTime(text);
  if (time === undefined)
    throw new AppError('invalid_input', {
      attr: name,
      detail: `${name} must be a time in ISO 8601, such as 2026-01-31T12:00:00Z.`,
    });
  return time;
}
