import {
  Array as ArrayType,
  Boolean,
  Integer,
  Null,
  Object as ObjectType,
  String as StringType,
  Tuple,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { projectRoute } from '../../context.ts';
import { isEndpointName } from '../../body/endpoint-body.ts';
import { endpointExample } from '../../endpoint-example.ts';

/** State of a query as PostHog's clients read it (spec 4.3, rule 6); here it is always complete. */
const QueryStatus = ObjectType(
  {
    id: StringType({ examples: [''] }),
    team_id: Integer(),
    complete: Boolean({ examples: [true] }),
    error: Boolean(),
    query_async: Boolean({ examples: [true] }),
    results: nullable(
      ArrayType(Tuple([StringType(), StringType({ format: 'date-time' })]), {
        description: 'Pairs of name and time.',
        examples: [[[endpointExample.name, '2026-01-02T03:04:05.678Z']]],
      }),
    ),
    budget_remaining_bytes: Null(),
    bytes_read: Null(),
    cache_key: Null(),
    dashboard_id: Null(),
    end_time: Null(),
    error_code: Null(),
    error_message: Null(),
    expiration_time: Null(),
    insight_id: Null(),
    labels: Null(),
    pickup_time: Null(),
    query_progress: Null(),
    query_scan: Null(),
    start_time: Null(),
    task_id: Null(),
  },
  { title: 'QueryStatus' },
);

const nothing = {
  budget_remaining_bytes: null,
  bytes_read: null,
  cache_key: null,
  dashboard_id: null,
  end_time: null,
  error_code: null,
  error_message: null,
  expiration_time: null,
  insight_id: null,
  labels: null,
  pickup_time: null,
  query_progress: null,
  query_scan: null,
  start_time: null,
  task_id: null,
} satisfies Partial<Static<typeof QueryStatus>>;

const namesMax = 1_000;

/** Last execution times by name. Unknown names and endpoints that never ran are left out (contract/endpoints 4.8). */
export const listLastExecutionTimes = projectRoute({
  operationId: 'list_last_execution_times',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/last_execution_times',
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Say when query endpoints were last run',
  body: ObjectType(
    { names: ArrayType(StringType(), { maxItems: namesMax, examples: [[endpointExample.name]] }) },
    { title: 'EndpointNames' },
  ),
  responses: { 200: ObjectType({ query_status: QueryStatus }, { title: 'LastExecutionTimes' }) },
  async handler({ auth, context, body: { names } }) {
    const odd = names.find((name) => !isEndpointName(name));
    if (odd !== undefined)
      throw new AppError('invalid_input', {
        attr: 'names',
        detail: `"${odd.slice(0, 128)}" is not a valid name of an endpoint.`,
      });
    const times = names.length === 0 ? null : await context.endpoints.lastExecutions(auth.project.id, names);
    const results =
      times && times.map(({ name, lastExecutedAt }): [string, string] => [name, lastExecutedAt.toISOString()]);
    return {
      query_status: {
        id: '',
        team_id: auth.project.id,
        complete: true,
        error: false,
        query_async: true,
        results,
        ...nothing,
      },
    };
  },
});
