import type { Context } from './context.ts';
import { sharedVariables } from '../../queries/definition/shared-variables.ts';
import { refuseLaterOptions, refuseReservedName, takenName, type EndpointBody } from './endpoint-body.ts';
import { dataFreshnessDefault, refuseFreshness } from './freshness.ts';
import type { StoredEndpoint } from './endpoint.ts';

/**
 * Makes an endpoint with its version 1 from a body whose form is checked (contract/endpoints 1).
 * @throws {AppError} 400: a reserved or taken name, another freshness, a query that cannot be used, options that belong to other kinds
 */
export async function saveEndpoint(
  {
    prisma,
    endpoints,
    queryCompiler,
    projectNames,
    freshnessMinSeconds,
  }: Pick<Context, 'prisma' | 'endpoints' | 'freshnessMinSeconds'> & {
    queryCompiler: Pick<Context['queryCompiler'], 'check'>;
    projectNames: Pick<Context['projectNames'], 'of'>;
  },
  { organizationId, ...author }: { organizationId: string; projectId: number; userId: number },
  body: EndpointBody,
): Promise<StoredEndpoint> {
  refuseReservedName(body.name);
  refuseLaterOptions(body);
  refuseFreshness(body.data_freshness_seconds, freshnessMinSeconds);
  const { query, columns, types } = await queryCompiler.check(
    body.query,
    await sharedVariables(prisma, author.projectId),
    organizationId,
    await projectNames.of(author.projectId),
  );
  const stored = await endpoints.create({
    ...author,
    name: body.name,
    isActive: body.is_active ?? true,
    derivedFromInsight: body.derived_from_insight ?? null,
    tags: [...new Set(body.tags ?? [])].sort(),
    query,
    description: body.description ?? '',
    dataFreshnessSeconds: body.data_freshness_seconds ?? dataFreshnessDefault,
    columns,
    propertyTypes: types,
  });
  if (stored === null) throw takenName(body.name);
  return stored;
}
