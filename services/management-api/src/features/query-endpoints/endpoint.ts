import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  Record,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type {
  Endpoint as EndpointRow,
  EndpointVersion as VersionRow,
  User,
} from '@millrace/postgres/generated/client.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import { renderStatus, type ShownRow, type ShownVerdict } from '../../materialization/render-status.ts';
import { summarizeUser, UserOrNull } from '../../accounts/user-summary.ts';
import { endpointExample as example } from './endpoint-example.ts';
import { dataFreshnessDefault } from './body/freshness.ts';

/** State of a version's materialization (spec 2, contract/endpoints 6.1). */
export const MaterializationStatus = ObjectType(
  {
    name: StringType({ examples: [example.name] }),
    enabled: Boolean({ description: 'The version is to have a table.' }),
    ready: Boolean({ description: 'It has one.' }),
    status: StringType({
      description:
        '`Running`, `Completed`, `Failed`, `Cancelled` (its process stopped, and another builds), `Modified` (the buckets were changed, and no table is of these yet) or `Unknown` (no build yet, none wanted, or hibernated).',
      examples: ['Unknown'],
    }),
    can_materialize: Boolean({
      description:
        'No rule of `materialization_conditions` refuses the query; true when `enabled`, and of a large query while that is not known.',
      examples: [true],
    }),
    reason: nullable(
      StringType({
        description: 'The rule that refuses it, or why that is not known yet, in a sentence.',
        examples: [null],
      }),
    ),
    last_materialized_at: nullable(
      StringType({ format: 'date-time', description: 'When the rows of the last table were read.' }),
    ),
    error: StringType({
      description: 'Why the last build failed, with the figure of a limit; empty when it did not.',
      examples: [''],
    }),
    saved_query_id: nullable(
      StringType({ format: 'uuid', description: 'Names the materialization; null when not `enabled`.' }),
    ),
    hibernated: Boolean({
      description:
        'Nobody ran the version for 30 days, or it made room for another: no table is built until somebody runs it.',
    }),
    buckets_rebuilt: nullable(
      Integer({
        description: 'Days or hours that the last build did again; null: all of them, or there is no table.',
        examples: [null],
      }),
    ),
    rows_read: nullable(Integer({ description: 'Rows that the last build read.', examples: [null] })),
  },
  { title: 'MaterializationStatus', description: 'State of the table of a version.' },
);

/** A version's number in a request; one that no version can have is not found. */
export const versionNumber = (options: { description?: string } = {}) =>
  Integer({ minimum: -2_147_483_647, maximum: 2_147_483_647, ...options });

const Column = ObjectType({ name: StringType(), type: StringType() }, { title: 'Column' });

const timestamp = StringType({ format: 'date-time' });
/** A query endpoint as the API shows it; the last six keys are there when a version was selected (spec 2). */
export const Endpoint = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType({ examples: [example.name] }),
    description: StringType({ examples: [''] }),
    query: Record(StringType(), Unknown(), { examples: [example.storedQuery] }),
    is_active: Boolean({ examples: [true] }),
    data_freshness_seconds: Integer({ examples: [dataFreshnessDefault] }),
    endpoint_path: StringType({ examples: [example.path] }),
    url: StringType({ examples: [`https://api.example.com${example.path}`] }),
    ui_url: StringType({ examples: [`https://api.example.com/project/1/endpoints/${example.name}`] }),
    created_at: timestamp,
    updated_at: timestamp,
    created_by: UserOrNull,
    is_materialized: Boolean({ description: 'The version has a table now.' }),
    current_version: Integer(),
    current_version_id: StringType({ format: 'uuid' }),
    versions_count: Integer(),
    derived_from_insight: nullable(StringType()),
    last_executed_at: nullable(timestamp),
    materialization: MaterializationStatus,
    bucket_overrides: nullable(
      Record(StringType(), Unknown(), { description: 'Sizes of buckets that were chosen, by column.' }),
    ),
    columns: ArrayType(Column, {
      examples: [
        [
          { name: 'size', type: 'string' },
          { name: 'signups', type: 'integer' },
        ],
      ],
    }),
    tags: ArrayType(StringType(), { examples: [[]] }),
    optional_breakdown_properties: ArrayType(StringType(), { examples: [[]] }),
    version: Optional(Integer()),
    version_id: Optional(StringType({ format: 'uuid' })),
    endpoint_is_active: Optional(Boolean()),
    version_created_at: Optional(timestamp),
    version_updated_at: Optional(nullable(timestamp)),
    version_created_by: Optional(UserOrNull),
  },
  { title: 'Endpoint' },
);
export type Endpoint = Static<typeof Endpoint>;

export type StoredVersion = VersionRow & { createdBy: User | null; materialization: ShownRow | null };

/** An endpoint with its current version and the number of all. */
export interface StoredEndpoint {
  endpoint: EndpointRow & { createdBy: User | null };
  current: StoredVersion;
  versionsCount: number;
}

/** The endpoint as the API shows it, described by its current version. `verdict`: whether that can be materialized. Pure. */
export function renderEndpoint(
  { endpoint, current, versionsCount }: StoredEndpoint,
  baseUrl: string,
  verdict: ShownVerdict,
): Endpoint {
  const path = `/api/projects/${endpoint.projectId}/endpoints/${endpoint.name}/run`;
  return {
    id: endpoint.id,
    name: endpoint.name,
    description: current.description,
    query: current.query as Endpoint['query'],
    is_active: endpoint.isActive,
    data_freshness_seconds: current.dataFreshnessSeconds,
    endpoint_path: path,
    url: `${baseUrl}${path}`,
    ui_url: `${baseUrl}/project/${endpoint.projectId}/endpoints/${endpoint.name}`,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
    created_by: summarizeUser(endpoint.createdBy),
    is_materialized: current.materialization !== null && current.materialization.tableName !== null,
    current_version: endpoint.currentVersion,
    current_version_id: current.id,
    versions_count: versionsCount,
    derived_from_insight: endpoint.derivedFromInsight,
    last_executed_at: endpoint.lastExecutedAt?.toISOString() ?? null,
    materialization: renderStatus(endpoint.name, current.materialization, verdict),
    bucket_overrides: current.bucketOverrides as Endpoint['bucket_overrides'],
    columns: current.columns as unknown as QueryColumn[],
    tags: endpoint.tags,
    optional_breakdown_properties: current.optionalBreakdownProperties,
  };
}

/** The endpoint as described by one of its versions (contract/endpoints 1). Pure. */
export function renderVersion(
  stored: StoredEndpoint,
  version: StoredVersion,
  baseUrl: string,
  verdict: ShownVerdict,
): Endpoint {
  return {
    ...renderEndpoint({ ...stored, current: version }, baseUrl, verdict),
    is_active: version.isActive,
    current_version_id: stored.current.id,
    last_executed_at: version.lastExecutedAt?.toISOString() ?? null,
    version: version.version,
    version_id: version.id,
    endpoint_is_active: stored.endpoint.isActive,
    version_created_at: version.createdAt.toISOString(),
    version_updated_at: version.updatedAt?.toISOString() ?? null,
    version_created_by: summarizeUser(version.createdBy),
  };
}
