import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { CompileBuild } from '../../../materialization/build-request.ts';
import type { CheckedQuery } from '../../../queries/compile/check-query.ts';
import type { QueryCompiler } from '../../../queries/compile/query-compiler.ts';

/** Compiles builds of versions with the types that each keeps, and the time zone and filters that its project has now. */
export function createVersionBuilds({
  prisma,
  queryCompiler,
  clock,
}: {
  prisma: Pick<PrismaClient, 'endpointVersion'>;
  queryCompiler: Pick<QueryCompiler, 'compileTable'>;
  clock: Clock;
}): CompileBuild {
  return async (versionId, within) => {
    const { query, propertyTypes, bucketOverrides, endpoint } = await prisma.endpointVersion.findUniqueOrThrow({
      where: { id: versionId },
      select: {
        query: true,
        propertyTypes: true,
        bucketOverrides: true,
        endpoint: {
          select: { project: { select: { organizationId: true, timezone: true, testAccountFilters: true } } },
        },
      },
    });
    const { organizationId, timezone: timeZone, testAccountFilters } = endpoint.project;
    return await queryCompiler.compileTable(
      {
        query: query as CheckedQuery,
        kept: propertyTypes as KeptTypes,
        bucketOverrides: bucketOverrides as Record<string, string> | null,
        filterContext: { timeZone, testAccounts: testAccountFilters as unknown[], nowMs: clock.nowMs() },
        ...(within && { within }),
      },
      organizationId,
    );
  };
}
