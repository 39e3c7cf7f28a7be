import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { CompileBuild } from '../../../materialization/build-request.ts';
import type { CheckedQuery, SavedQuery } from '../../../queries/compile/check-query.ts';
import { readEarliest } from '../../../queries/execute/read-earliest.ts';
import type { TenantEngine } from '../../../queries/execute/tenant-engine.ts';
import { insightKindOf } from '../../../queries/insights/insight-kinds.ts';
import type { QueryCompiler } from '../../../queries/compile/query-compiler.ts';

/** Longest wait for the earliest event, with which the range of an insight may begin. */
const earliestMsMax = 30_000;

/** Compiles builds of versions with the types that each keeps, and the time zone and filters that its project has now. */
export function createVersionBuilds({
  prisma,
  queryCompiler,
  tenantEngine,
  clock,
}: {
  prisma: Pick<PrismaClient, 'endpointVersion'>;
  queryCompiler: Pick<QueryCompiler, 'compileTable' | 'prepare'>;
  tenantEngine: Pick<TenantEngine, 'run'>;
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
          select: {
            projectId: true,
            project: { select: { organizationId: true, timezone: true, testAccountFilters: true } },
          },
        },
      },
    });
    const { organizationId, timezone: timeZone, testAccountFilters } = endpoint.project;
    const kept = propertyTypes as KeptTypes;
    const now = { timeZone, testAccounts: testAccountFilters as unknown[], nowMs: clock.nowMs() };
    const isInsight = insightKindOf(query as SavedQuery) !== undefined;
    const earliest = isInsight
      ? await readEarliest(
          tenantEngine,
          queryCompiler.prepare(query as SavedQuery, organizationId, kept),
          {},
          {
            teamId: endpoint.projectId,
            organizationId,
            keyId: undefined,
            queryId: randomUUID(),
            signal: AbortSignal.timeout(earliestMsMax),
            now,
          },
        )
      : undefined;
    return await queryCompiler.compileTable(
      {
        query: query as CheckedQuery,
        kept,
        bucketOverrides: bucketOverrides as Record<string, string> | null,
        filterContext: { ...now, earliest },
        ...(within && { within }),
      },
      organizationId,
    );
  };
}
