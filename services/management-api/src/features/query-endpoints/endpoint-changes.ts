import { isDeepStrictEqual } from 'node:util';
import { Object as ObjectType, Optional, Unsafe, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { isSameQuery, type QueryCheck } from '../../queries/compile/check-query.ts';
import { EndpointBody, misplacedVariables, refuseOptions, refuseReservedName } from './body/endpoint-body.ts';
import { keptBreakdowns, readOptionalBreakdowns } from './body/optional-breakdowns.ts';
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
 * Says why a version with this freshness cannot be materialized, one that is there, or a new one with the query of the request; null: it can.
 * May throw: a decision without that look is none.
 */
export type ReasonAgainst = (version: StoredVersion | 'new', freshnessSeconds: number) => string | null;

/**
 * Reads the changes of an endpoint from a body (contract/endpoints 3). `target` is the version that the request names,
 * null when it names none: then `is_active` switches the endpoint, and everything else the current version. Pure.
 * @throws {AppError} 400 on the field that cannot be; what `reasonAgainst` throws
 */
export function changesOf(
  { endpoint, current }: StoredEndpoint,
  target: StoredVersion | null,
  body: EndpointChangeBody,
  checked: QueryCheck | null,
  reasonAgainst: ReasonAgainst,
): EndpointChanges {
  const { name, tags, is_active: isActive } = body;
  const query = changedQuery(target ?? current, target !== null, checked);
  refuseOptions({ ...body, is_active: willBeActive({ endpoint, current }, target, isActive, query !== null) });
  if (typeof name === 'string' && name !== endpoint.name) refuseReservedName(name);
  const version = versionChanges(body, query === null ? (target ?? current).query : query.query);
  const materialization = materializationChange(current, target, body, { isNew: query !== null, reasonAgainst });
  return {
    endpoint: {
      ...(typeof name === 'string' && name !== endpoint.name && { name }),
      ...(typeof isActive === 'boolean' && target === null && { isActive }),
      ...(tags && { tags: [...new Set(tags)].sort() }),
    },
    version: { ...version, ...(typeof isActive === 'boolean' && target !== null && { isActive }) },
    newVersion: query && { ...inherited(current, query.query), ...version, ...query },
    ...materialization,
  };
}

/** Null resets what has a default, and leaves a description alone. */
function versionChanges(body: EndpointChangeBody, query: unknown): VersionChanges {
  const { optional_breakdown_properties: optional } = body;
  return {
    ...(typeof body.description === 'string' && { description: body.description }),
    ...(body.data_freshness_seconds !== undefined && {
      dataFreshnessSeconds: body.data_freshness_seconds ?? dataFreshnessDefault,
    }),
    ...(optional !== undefined && { optionalBreakdownProperties: readOptionalBreakdowns(optional, query) }),
    ...(body.bucket_overrides !== undefined && { bucketOverrides: readBucketOverrides(body.bucket_overrides) }),
  };
}

/** Runs answer only where both the endpoint and the version are on. A new version is on. */
function willBeActive(
  { endpoint, current }: Pick<StoredEndpoint, 'endpoint' | 'current'>,
  target: StoredVersion | null,
  isActive: boolean | null | undefined,
  isNew: boolean,
): boolean {
  if (target !== null) return endpoint.isActive && (isActive ?? target.isActive);
  return (isActive ?? endpoint.isActive) && (isNew || current.isActive);
}

/**
 * Changes of a table: first of the version that is addressed, then of a new one, whose predecessor keeps its own. By whether there was
 * one, and whether there is to be. `adjust`: there stays one (`adjustment`).
 */
const changeOf = {
  addressed: { was: { is: 'adjust', isNot: 'disable' }, wasNot: { is: 'enable', isNot: null } },
  new: { was: { is: 'enable', isNot: null }, wasNot: { is: 'enable', isNot: null } },
} as const;

/** Reads what becomes of the table of the version that is addressed or made (contract/endpoints 3). */
function materializationChange(
  current: StoredVersion,
  target: StoredVersion | null,
  body: EndpointChangeBody,
  { isNew, reasonAgainst }: { isNew: boolean; reasonAgainst: ReasonAgainst },
): Pick<EndpointChanges, 'materialization' | 'materializationError'> {
  const version = target ?? current;
  const was = version.materialization !== null;
  const is = body.is_materialized ?? was;
  if (body.bucket_overrides && !is)
    throw new AppError('invalid_input', {
      attr: 'bucket_overrides',
      detail: 'Only materialized versions have buckets: send is_materialized with it.',
    });
  if (body.is_active === false)
    return { materialization: target === null ? 'disableAll' : 'disable', materializationError: null };
  const materializationError = is ? refusalOf(version, body, isNew, reasonAgainst) : null;
  if (materializationError !== null) return { materialization: null, materializationError };
  const change = changeOf[isNew ? 'new' : 'addressed'][was ? 'was' : 'wasNot'][is ? 'is' : 'isNot'];
  return { materialization: change === 'adjust' ? adjustment(version, body) : change, materializationError };
}

/**
 * Why the new version of a materialized one cannot be materialized too; null: it can, or there is none.
 * @throws {AppError} 400 on `is_materialized` or `data_freshness_seconds`, whichever the request has, when the version that it is about cannot be
 */
function refusalOf(
  version: StoredVersion,
  body: EndpointChangeBody,
  isNew: boolean,
  reasonAgainst: ReasonAgainst,
): string | null {
  const isAsked = body.is_materialized === true;
  if (!isAsked) refuseShortFreshness(body.data_freshness_seconds);
  if (!isAsked && !isNew) return null;
  const given = body.data_freshness_seconds;
  const freshness = given === undefined ? version.dataFreshnessSeconds : (given ?? dataFreshnessDefault);
  const reason = reasonAgainst(isNew ? 'new' : version, freshness);
  if (isAsked && reason !== null) throw notMaterializable(reason);
  return reason;
}

/** The change of a version that stays materialized. To ask for that again begins what has ended: a build that failed, or none. */
function adjustment(
  { materialization, bucketOverrides }: StoredVersion,
  { is_materialized: isAsked, bucket_overrides: given, data_freshness_seconds: freshness }: EndpointChangeBody,
): MaterializationChange {
  if (isAsked && materialization !== null && materialization.hibernatedAt !== null) return 'enable';
  if (given !== undefined && !isDeepStrictEqual(given, bucketOverrides)) return 'modify';
  if (isAsked && materialization?.status === 'Failed') return 'retry';
  return freshness === undefined ? null : 'reschedule';
}

function inherited(
  { description, dataFreshnessSeconds, optionalBreakdownProperties, bucketOverrides }: StoredVersion,
  query: unknown,
): Required<Omit<VersionChanges, 'isActive'>> {
  return {
    description,
    dataFreshnessSeconds,
    optionalBreakdownProperties: keptBreakdowns(optionalBreakdownProperties, query),
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
