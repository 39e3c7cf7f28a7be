import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { PreparedEndpointQuery } from './prepared-endpoint-query.ts';
import type { FilterContext } from '../definition/filters.ts';

/** Settings of a project that the filters of its queries depend on. */
export type QueryContext = Omit<FilterContext, 'nowMs'>;

/** Reads the project's filter of test accounts only for queries that want it: most do not. */
export async function loadQueryContext(
  { project: projects }: Pick<PrismaClient, 'project'>,
  { id, timezone: timeZone }: { id: number; timezone: string },
  { wantsTestAccounts }: PreparedEndpointQuery,
): Promise<QueryContext> {
  if (!wantsTestAccounts) return { timeZone, testAccounts: [] };
  const { testAccountFilters } = await projects.findUniqueOrThrow({
    where: { id },
    select: { testAccountFilters: true },
  });
  return { timeZone, testAccounts: testAccountFilters as unknown[] };
}
