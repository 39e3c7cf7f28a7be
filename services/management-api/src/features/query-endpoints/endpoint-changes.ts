import { isDeepStrictEqual } from 'node:util';
import { Object as ObjectType, Optional, Unsafe, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { isSameQuery, type QueryCheck } from '../../queries/compile/check-query.ts';
import { EndpointBody, misplacedVariables, refuseOptions, refuseReservedName } from './body/endpoint-body.ts';
import { readBucketOverrides } from './materialization/bucket-overrides.ts';
import type { MaterializationChange } from '../../materialization/change-materialization.ts';
import { notMaterializable, refuseShortFreshness } from './materialization/check-materialization.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { dataFreshnessDefault } from './body/freshness.ts';
import { versionNumber, type StoredEndpoint, type StoredVersion } from './endpoint.ts';

const queryOrNothing = Unsafe<EndpointBody['query'] | null>({
  anyOf: [EndpointBody.properties.query, { type: 'null' }],
});

/** Body of PATCH and PUT (contract/endpoints 3): the fields of create, each of which may be left out. */
export const EndpointChangeBody = ObjectType(
  {
    ...EndpointBody.properties,
    name: Optional(nullable(EndpointBody.properties.name)),
    query: Optional(queryOrNothing),
    version: Optional(nullable(versionNumber())),
  },
  { title: 'EndpointUpdate', additionalProperties: false, ...misplacedVariables },
);
export type EndpointChangeBody = Static<typeof EndpointChangeBody>;

/** Fields of an endpoint to write; missing ones stay. */
export interface EndpointChanges {
  endpoint: { name?: string; isActive?: boolean; tags?: string[] };
  /** Fields of the version that is addressed, unless there is a new one. */
  version: VersionChanges;
  /** A version after the current one. */
  newVersion:
    | (Required<Omit<VersionChanges, 'isActive'>> & {
        query: Record<string, unknown>;
        columns: QueryColumn[];
        propertyTypes: KeptTypes;
      })
    | null;
  materialization: MaterializationChange;
  /** Why the new version is not materialized as the one before it. */
  materializationError: string | null;
}

interface VersionChanges {
  description?: string;
  dataFreshnessSeconds?: number;
  optionalBreakdownProperties?: string[];
  bucketOverrides?: Record<string, string> | null;
  isActive?: boolean;
}

/**
 * Reads the changes of an endpoint from a body (contract/endpoints 3). `target` is the version that the request names,
 * null when it names none: then `is_active` switches the endpoint, and everything else the current version. `reason`: why the query that
 * there will be cannot be materialized. Pure.
 * @throws {AppError} 400 on the field that cannot be
 */
export function changesOf(
  { endpoint, current }: StoredEndpoint,
  target: StoredVersion | null,
  body: EndpointChangeBody,
  checked: QueryCheck | null,
  reason: string | null,
): EndpointChanges {
  refuseOptions({ ...body, is_active: body.is_active ?? (target ?? endpoint).isActive });
  const { name, tags, is_active: isActive } = body;
  if (typeof name === 'string' && name !== endpoint.name) refuseReservedName(name);
  const version = versionChanges(body);
  const query = changedQuery(target ?? current, target !== null, checked);
  const materialization = materializationChange({ endpoint, current }, target, body, { isNew: query !== null, reason });
  return {
    endpoint: {
      ...(typeof name === 'string' && name !== endpoint.name && { name }),
      ...(typeof isActive === 'boolean' && target === null && { isActive }),
      ...(tags && { tags: [...new Set(tags)].sort() }),
    },
    version: { ...version, ...(typeof isActive === 'boolean' && target !== null && { isActive }) },
    newVersion: query && { ...inherited(current), ...version, ...query },
    ...materialization,
  };
}

/** Null resets what has a default, and leaves a description alone. */
function versionChanges(body: EndpointChangeBody): VersionChanges {
  return {
    ...(typeof body.description === 'string' && { description: body.description }),
    ...(body.data_freshness_seconds !== undefined && {
      dataFreshnessSeconds: body.data_freshness_seconds ?? dataFreshnessDefault,
    }),
    ...(body.optional_breakdown_properties !== undefined && { optionalBreakdownProperties: [] }),
    ...(body.bucket_overrides !== undefined && { bucketOverrides: readBucketOverrides(body.bucket_overrides) }),
  };
}

/** Reads what becomes of the table of the version that is addressed or made (contract/endpoints 3). */
function materializationChange(
  { current }: Pick<StoredEndpoint, 'endpoint' | 'current'>,
  target: StoredVersion | null,
  body: EndpointChangeBody,
  { isNew, reason }: { isNew: boolean; reason: string | null },
): Pick<EndpointChanges, 'materialization' | 'materializationError'> {
  const version = target ?? current;
  const was = version.materialization !== null;
  const is = body.is_materialized ?? was;
  const change = (materialization: MaterializationChange, materializationError: string | null = null) => ({
    materialization,
    materializationError,
  });
  if (body.bucket_overrides && !is)
    throw new AppError('invalid_input', {
      attr: 'bucket_overrides',
      detail: 'Only materialized versions have buckets: send is_materialized with it.',
    });
  if (body.is_active === false) return change(target === null ? 'disableAll' : 'disable');
  if (body.is_materialized && reason !== null) throw notMaterializable(reason);
  if (isNew) return is && reason !== null ? change(null, reason) : change(is ? 'enable' : null);
  if (was !== is) return change(is ? 'enable' : 'disable');
  if (is) refuseShortFreshness(body.data_freshness_seconds);
  if (!is) return change(null);
  const overrides = body.bucket_overrides === undefined ? version.bucketOverrides : body.bucket_overrides;
  if (!isDeepStrictEqual(overrides, version.bucketOverrides)) return change('modify');
  return change(body.data_freshness_seconds === undefined ? null : 'reschedule');
}

function inherited({
  description,
  dataFreshnessSeconds,
  optionalBreakdownProperties,
  bucketOverrides,
}: StoredVersion): Required<Omit<VersionChanges, 'isActive'>> {
  return {
    description,
    dataFreshnessSeconds,
    optionalBreakdownProperties,
    bucketOverrides: bucketOverrides as Record<string, string> | null,
  };
}

/** The query in its normal form with its columns, when it is another than the version's. */
function changedQuery(
  version: StoredVersion,
  isNamed: boolean,
  checked: QueryCheck | null,
): (Pick<QueryCheck, 'query' | 'columns'> & { propertyTypes: KeptTypes }) | null {
  if (checked === null) return null;
  const { query, columns, types } = checked;
  if (isSameQuery(query, version.query)) return null;
  if (isNamed)
    throw new AppError('invalid_input', {
      attr: 'query',
      detail: "A version's query never changes: leave version out to make a new version.",
    });
  return { query, columns, propertyTypes: types };
}
