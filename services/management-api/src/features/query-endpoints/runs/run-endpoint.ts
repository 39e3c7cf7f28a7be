import { String as StringType, Union } from 'typebox';
import { projectRoute } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import { queryErrors } from '../../../queries/execute/engine-errors.ts';
import { RunBody, RunQuery } from './run-request.ts';
import { findRunnableEndpoint } from '../store/find-endpoint.ts';
import { recordRun } from './history/record-run.ts';
import { run, runByGet } from './run.ts';
import { RunInsight, RunObjects, RunResult } from './run-result.ts';

const shared = {
  path: '/api/projects/:project_id/endpoints/:name/run',
  params: endpointParams,
  access: { scope: 'endpoint:read', runTokens: true },
  throttle: 'runs',
  tag: 'Query endpoints',
  query: RunQuery,
  bareQueryErrors: true,
  responses: { 200: Union([RunResult, RunObjects, RunInsight]) },
  otherTypes: {
    'text/csv': StringType({
      description: 'A line of names, then a line a row.',
      examples: ['size,signups\r\n3,1\r\n'],
    }),
    'image/svg+xml': StringType({
      description: 'With `format=svg`: a chart of an insight, or of SQL with two columns.',
      examples: ['<svg xmlns="http://www.w3.org/2000/svg" …'],
    }),
    'application/x-ndjson': StringType({
      description: 'A line a row, each an object of its columns.',
      examples: ['{"size":"3","signups":1}\n'],
    }),
  },
  errors: queryErrors,
  find: findRunnableEndpoint,
} as const;

export const runEndpoint = projectRoute({
  ...shared,
  refused: (input, error) => recordRun(input).refused(error),
  operationId: 'run_endpoint',
  method: 'post',
  summary: 'Run a query endpoint',
  body: RunBody,
  handler: (input) => run(input, input.body),
});

export const runEndpointByGet = projectRoute({
  ...shared,
  refused: (input, error) => recordRun(input).refused(error),
  operationId: 'run_endpoint_by_get',
  method: 'get',
  summary: 'Run a query endpoint, everything in the URL',
  responses: { 200: Union([RunResult, RunObjects, RunInsight]), 304: null },
  description:
    'Variables come as one JSON object (`variables={"name":"value"}`) or one by one (`variables[name]=value`, or `name=value` where no parameter has that name). An unknown parameter is a 400 that names the variables. The reply has an `ETag`: sent back as `If-None-Match`, it is answered with 304 while the result is the same.',
  handler: runByGet,
});
