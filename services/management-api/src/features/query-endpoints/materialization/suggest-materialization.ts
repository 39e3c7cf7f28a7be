import { Object as ObjectType, Optional } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { projectRoute } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import { versionNumber } from '../endpoint.ts';
import { findEndpoint } from '../store/find-endpoint.ts';

export const suggestMaterialization = projectRoute({
  operationId: 'suggest_materialization',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_suggestion',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Suggest an equivalent query that can be materialized (not available yet: always 400)',
  body: ObjectType({ version: Optional(nullable(versionNumber())) }, { title: 'MaterializationSuggestionRequest' }),
  responses: { 200: ObjectType({}) },
  find: findEndpoint,
  handler(): never {
    throw new AppError('invalid_input', {
      detail: 'Suggestions are not available yet. The preview says which rule refuses the query.',
    });
  },
});
