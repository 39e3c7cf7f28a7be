import { Object as ObjectType, Optional, Record, String as StringType, Unknown } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { projectRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';
import { MaterializationStatus, notMaterialized, versionNumber } from './endpoint.ts';
import { findEndpoint, findVersion } from './store/find-endpoint.ts';

// No version can be materialized yet: the status reports that, and the other routes refuse the request.

const base = {
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  responses: { 200: ObjectType({}) },
} as const;

function refuse(): never {
  throw new AppError('invalid_input', {
    detail: 'Materialization is not available yet: endpoints run their query, and results can be cached.',
  });
}

export const retrieveMaterializationStatus = projectRoute({
  ...base,
  operationId: 'retrieve_materialization_status',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/materialization_status',
  params: endpointParams,
  summary: 'Show whether a version is materialized',
  query: ObjectType({ version: Optional(versionNumber()) }),
  responses: { 200: MaterializationStatus },
  find: findEndpoint,
  async handler({ context, found, query }) {
    await findVersion(context, found, query.version);
    return notMaterialized(found.endpoint.name);
  },
});

export const previewMaterialization = projectRoute({
  ...base,
  operationId: 'preview_materialization',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_preview',
  params: endpointParams,
  summary: 'Show how a version would be materialized (not available yet: always 400)',
  body: ObjectType(
    {
      version: Optional(nullable(versionNumber())),
      bucket_overrides: Optional(nullable(Record(StringType(), Unknown()))),
    },
    { title: 'MaterializationPreviewRequest' },
  ),
  find: findEndpoint,
  handler: refuse,
});

export const suggestMaterialization = projectRoute({
  ...base,
  operationId: 'suggest_materialization',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_suggestion',
  params: endpointParams,
  summary: 'Suggest an equivalent query that can be materialized (not available yet: always 400)',
  body: ObjectType({ version: Optional(nullable(versionNumber())) }, { title: 'MaterializationSuggestionRequest' }),
  find: findEndpoint,
  handler: refuse,
});

export const listMaterializationConditions = projectRoute({
  ...base,
  operationId: 'list_materialization_conditions',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/materialization_conditions',
  summary: 'Say which queries can be materialized (not available yet: always 400)',
  handler: refuse,
});
