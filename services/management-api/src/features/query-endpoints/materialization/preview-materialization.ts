import {
  Array as ArrayType,
  Boolean,
  Object as ObjectType,
  Optional,
  Record,
  String as StringType,
  Unknown,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { SavedQuery } from '../../../queries/compile/check-query.ts';
import { projectRoute } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import { versionNumber } from '../endpoint.ts';
import { findEndpoint, findVersion } from '../store/find-endpoint.ts';
import { readBucketOverrides } from './bucket-overrides.ts';

const text = (description: string) => nullable(StringType({ description }));

/** How a version would be stored and read (contract/endpoints 6.7). */
const MaterializationPreview = ObjectType(
  {
    can_materialize: Boolean({ examples: [true] }),
    reason: text('The first rule that refuses the query, in a sentence.'),
    reason_code: text('The code of that rule; `materialization_conditions` lists them.'),
    transformed_query: text('The query that would fill the table; null of an insight, which has no SQL.'),
    execution_query: text('The query of a run, on the table of the version.'),
    display_execution_query: text('The same query with the name of the endpoint as its table.'),
    range_pairs: ArrayType(
      ObjectType(
        {
          column: StringType({ examples: ['timestamp'] }),
          variables: ArrayType(StringType(), { examples: [['from', 'to']] }),
          bucket_fn: nullable(StringType({ examples: ['toStartOfDay'] })),
        },
        { title: 'MaterializationRangePair' },
      ),
      { description: 'Variables that are compared with a column by >=, >, < and <=.', examples: [[]] },
    ),
    aggregates: ArrayType(
      ObjectType(
        {
          expression: StringType({ examples: ['signups'] }),
          reaggregate_fn: nullable(StringType({ examples: ['sum'] })),
        },
        { title: 'MaterializationAggregate' },
      ),
      { description: 'Aggregates of the SELECT list, and the function that puts several stored values together.' },
    ),
    volatile_functions: ArrayType(StringType(), {
      description:
        'Functions such as now(), whose values would be those of the time at which the table is built, and {filters} with relative dates.',
      examples: [[]],
    }),
    optional_variables: ArrayType(StringType(), {
      description:
        'Variables that a run may leave out, because an empty text switches their filter off, or because they are in `optional_breakdown_properties`. It needs all others.',
      examples: [[]],
    }),
  },
  { title: 'MaterializationPreview' },
);

export const previewMaterialization = projectRoute({
  operationId: 'preview_materialization',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_preview',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Show how a version would be materialized; nothing is saved',
  body: ObjectType(
    {
      version: Optional(nullable(versionNumber())),
      bucket_overrides: Optional(
        nullable(
          Record(StringType(), Unknown(), {
            description: 'Buckets to try; those of the version when it is left out, none for null.',
            examples: [null],
          }),
        ),
      ),
    },
    { title: 'MaterializationPreviewRequest' },
  ),
  responses: { 200: MaterializationPreview },
  find: findEndpoint,
  async handler({ context, auth, found, body }) {
    const given = body.bucket_overrides === undefined ? undefined : readBucketOverrides(body.bucket_overrides);
    const {
      query,
      version,
      bucketOverrides: own,
      optionalBreakdownProperties: optionalBreakdowns,
    } = await findVersion(context, found, body.version ?? undefined);
    const bucketOverrides = given === undefined ? (own as Record<string, string> | null) : given;
    return await context.queryCompiler.preview(
      { query: query as SavedQuery, name: found.endpoint.name, version, bucketOverrides, optionalBreakdowns },
      auth.project.organizationId,
    );
  },
});
