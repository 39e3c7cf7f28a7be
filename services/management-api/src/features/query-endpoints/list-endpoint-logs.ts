import { Integer, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors.ts';
import { pageEnvelope, pageOf } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../context.ts';
import { askRows } from '../../querying/ask-rows.ts';
import { parseUrlTime } from '../../querying/time-window.ts';
import { queryErrors } from '../../querying/engine-errors.ts';
import { findEndpoint } from './find-endpoint.ts';
import { logSource } from './run-record.ts';

const LogEntry = ObjectType(
  {
    log_source_id: StringType({ format: 'uuid', description: 'The endpoint.' }),
    instance_id: StringType({ format: 'uuid', description: 'The run: its `execution_id`.' }),
    timestamp: StringType({ format: 'date-time' }),
    level: StringType({ enum: ['INFO', 'ERROR'] }),
    message: StringType(),
  },
  { title: 'EndpointLogEntry' },
);
type LogEntry = Static<typeof LogEntry>;

const LogQuery = ObjectType({
  limit: Optional(Integer({ minimum: 1, maximum: 500, description: 'Entries; default 50.' })),
  after: Optional(StringType({ description: 'Only entries later than this time. ISO 8601; UTC where it names no zone.' })),
  before: Optional(StringType({ description: 'Only entries earlier than this time.' })),
  level: Optional(StringType({ description: 'Levels with commas between.' })),
  search: Optional(StringType({ description: 'Text in the message, in upper or lower case.' })),
  instance_id: Optional(StringType({ description: 'One run.' })),
});

const limitDefault = 50;
// The row policy shows no other team's rows to whoever asks with a team's token; the condition is there for the primary key.
const sql = `SELECT log_source_id, instance_id, timestamp, level, message
FROM analytics.log_entries
WHERE team_id = {team:Int64} AND log_source = {source:String} AND log_source_id = {endpoint:String}
  AND timestamp > toDateTime64({after:String}, 6, 'UTC') AND timestamp < toDateTime64({before:String}, 6, 'UTC')
  AND (empty({levels:Array(String)}) OR has({levels:Array(String)}, level))
  AND ({search:String} = '' OR positionCaseInsensitiveUTF8(message, {search:String}) > 0)
  AND ({instance:String} = '' OR instance_id = {instance:String})
ORDER BY timestamp DESC, instance_id DESC
LIMIT {limit:UInt64}`;

/** What became of the runs of an endpoint, also of one that is switched off (contract/endpoints 7). */
export const listEndpointLogs = projectRoute({
  operationId: 'list_endpoint_logs',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/logs',
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'List what became of the runs of a query endpoint, newest first',
  description: 'One entry a run, there within a second or two and kept for 90 days. Values of variables are in none. To go on, send the `timestamp` of the last entry as `before`.',
  query: LogQuery,
  responses: { 200: pageOf(LogEntry) },
  errors: queryErrors,
  find: findEndpoint,
  async handler({ auth, context, found, query, request, signal }) {
    const limit = query.limit ?? limitDefault;
    const params = { ...paramsOf(query), team: auth.project.id, source: logSource, endpoint: found.endpoint.id, limit };
    const rows = await askRows<[string, string, string, LogEntry['level'], string]>(context.tenantEngine, { sql, params, teamId: auth.project.id, organizationId: auth.project.organizationId, keyId: auth.caller.keyId, signal });
    const entries = rows.map(([log_source_id, instance_id, timestamp, level, message]): LogEntry => ({ log_source_id, instance_id, timestamp, level, message }));
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), { limit, offset: 0 }, entries.length, entries);
  },
});

function paramsOf({ after, before, level = '', search = '', instance_id: instance = '' }: Static<typeof LogQuery>) {
  return {
    after: readTime('after', after, '1900-01-01 00:00:00'),
    before: readTime('before', before, '2299-12-31 23:59:59.999999'),
    levels: level.split(',').map((name) => name.trim().toUpperCase()).filter((name) => name !== ''),
    search,
    instance,
  };
}

/** @throws {AppError} invalid_input */
function readTime(name: 'after' | 'before', text: string | undefined, otherwise: string): string {
  if (text === undefined || text.trim() === '') return otherwise;
  const time = parseUrlTime(text);
  if (time === undefined) throw new AppError('invalid_input', { attr: name, detail: `${name} must be a time in ISO 8601, such as 2026-01-31T12:00:00Z.` });
  return time;
}
