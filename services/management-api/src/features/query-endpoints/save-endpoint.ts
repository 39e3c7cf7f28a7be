import type { Context } from './context.ts';
import { sharedVariables } from '../../queries/definition/shared-variables.ts';
import { refuseOptions, refuseReservedName, takenName, type EndpointBody } from './body/endpoint-body.ts';
import { readOptionalBreakdowns } from './body/optional-breakdowns.ts';
import { dataFreshnessDefault, refuseFreshness } from './body/freshness.ts';
import type { StoredEndpoint } from './endpoint.ts';
import { readBucketOverrides } from './materialization/bucket-overrides.ts';
import { notMaterializable } from './materialization/check-materialization.ts';
import { afterFirstBuild } from './materialization/first-build.ts';

type SavingParts = Pick<Context, 'prisma' | 'endpoints' | 'freshnessMinSeconds' | 'builds'> & {
  materializability: Pick<Context['materializability'], 'reasonBesideQuery' | 'reasonOfQuery'>;
  queryCompiler: Pick<Context['queryCompiler'], 'check'>;
  projectNames: Pick<Context['projectNames'], 'of'>;
};

/**
 * Makes an endpoint with its version 1 from a body whose form is checked (contract/endpoints 1).
 * The table of a materialized one is built within the request, if that takes at most 2 s.
 * @throws {AppError} 400: a reserved or taken name, another freshness, a query that cannot be used, options that belong to other kinds
 */
export async function saveEndpoint(
  context: SavingParts,
  { organizationId, ...author }: { organizationId: string; projectId: number; userId: number },
  body: EndpointBody,
): Promise<StoredEndpoint> {
  const { prisma, endpoints, queryCompiler, projectNames, freshnessMinSeconds, materializability } = context;
  refuseReservedName(body.name);
  refuseOptions(body);
  const bucketOverrides = readBucketOverrides(body.bucket_overrides ?? null);
  refuseFreshness(body.data_freshness_seconds, freshnessMinSeconds);
  const { query, columns, types } = await queryCompiler.check(
    body.query,
    await sharedVariables(prisma, author.projectId),
    organizationId,
    await projectNames.of(author.projectId),
  );
  const optionalBreakdownProperties = readOptionalBreakdowns(body.optional_breakdown_properties ?? null, query);
  const dataFreshnessSeconds = body.data_freshness_seconds ?? dataFreshnessDefault;
  const isMaterialized = body.is_materialized ?? false;
  if (isMaterialized) {
    const reason =
      materializability.reasonBesideQuery(dataFreshnessSeconds) ??
      (await materializability.reasonOfQuery(query, organizationId));
    if (reason !== null) throw notMaterializable(reason);
  }
  const stored = await endpoints.create({
    ...author,
    name: body.name,
    isActive: body.is_active ?? true,
    derivedFromInsight: body.derived_from_insight ?? null,
    tags: [...new Set(body.tags ?? [])].sort(),
    query,
    description: body.description ?? '',
    dataFreshnessSeconds,
    optionalBreakdownProperties,
    isMaterialized,
    bucketOverrides: isMaterialized ? bucketOverrides : null,
    columns,
    propertyTypes: types,
  });
  if (stored === null) throw takenName(body.name);
  return isMaterialized ? await afterFirstBuild(context, stored, stored.current.id) : stored;
}
