import { Object as ObjectType, Optional, Unsafe, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { isSameQuery, type QueryCheck } from '../../queries/compile/check-query.ts';
import { EndpointBody, misplacedVariables, refuseLaterOptions, refuseReservedName } from './endpoint-body.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { dataFreshnessDefault } from './freshness.ts';
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
}

interface VersionChanges {
  description?: string;
  dataFreshnessSeconds?: number;
  optionalBreakdownProperties?: string[];
  isActive?: boolean;
}

/**
 * Reads the changes of an endpoint from a body (contract/endpoints 3). `target` is the version that the request names,
 * null when it names none: then `is_active` switches the endpoint, and everything else the current version. Pure.
 * @throws {AppError} 400 on the field that cannot be
 */
export function changesOf(
  { endpoint, current }: StoredEndpoint,
  target: StoredVersion | null,
  body: EndpointChangeBody,
  checked: QueryCheck | null,
): EndpointChanges {
  refuseLaterOptions({ ...body, is_active: body.is_active ?? (target ?? endpoint).isActive });
  if (body.bucket_overrides)
    throw new AppError('invalid_input', {
      attr: 'bucket_overrides',
      detail: 'Only materialized endpoints have buckets, and materialization is not available yet.',
    });
  const { name, tags, is_active: isActive } = body;
  if (typeof name === 'string' && name !== endpoint.name) refuseReservedName(name);
  const version = versionChanges(body);
  const query = changedQuery(target ?? current, target !== null, checked);
  return {
    endpoint: {
      ...(typeof name === 'string' && name !== endpoint.name && { name }),
      ...(typeof isActive === 'boolean' && target === null && { isActive }),
      ...(tags && { tags: [...new Set(tags)].sort() }),
    },
    version: { ...version, ...(typeof isActive === 'boolean' && target !== null && { isActive }) },
    newVersion: query && { ...inherited(current), ...version, ...query },
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
  };
}

function inherited({ description, dataFreshnessSeconds, optionalBreakdownProperties }: StoredVersion) {
  return { description, dataFreshnessSeconds, optionalBreakdownProperties };
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
