import { projectRoute } from '../../context.ts';
import { RunBody, RunQuery } from './run-request.ts';
import { findRunnableEndpoint } from './find-endpoint.ts';
import { run } from './run.ts';
import { RunResult } from './run-result.ts';

const shared = {
  path: '/api/projects/:project_id/endpoints/:name/run',
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  query: RunQuery,
  bareQueryErrors: true,
  responses: { 200: RunResult },
  errors: ['query_error', 'query_timeout', 'query_memory_limit', 'query_reads_too_much', 'query_result_too_large', 'query_too_large', 'query_capacity'],
  find: findRunnableEndpoint,
} as const;

export const runEndpoint = projectRoute({
  ...shared,
  operationId: 'run_endpoint',
  method: 'post',
  summary: 'Run a query endpoint',
  body: RunBody,
  handler: (input) => run(input, input.body),
});

export const runEndpointByGet = projectRoute({
  ...shared,
  operationId: 'run_endpoint_by_get',
  method: 'get',
  summary: 'Run a query endpoint, everything in the URL',
  description: 'Variables come as one JSON object (`variables={"name":"value"}`) or one by one (`variables[name]=value`).',
  handler: (input) => run(input, undefined),
});
