import { AppError } from '@millrace/http/errors/errors.ts';
import type { CheckedQuery, QueryCheck } from '../../../../queries/compile/check-query.ts';
import { sharedVariables } from '../../../../queries/definition/shared-variables.ts';
import type { ProjectAccess } from '../../../../auth/granted-access.ts';
import type { Context } from '../../context.ts';
import type { SuggestionCheck } from './suggest-query.ts';
import { toldProblem } from './told-problem.ts';
import { suggestionDifference, type QuerySurface } from './suggestion-difference.ts';

/**
 * The checks of suggestions for this query: a suggestion compiles, has the same placeholders and columns, and can be materialized. Both are
 * compiled with the names and types that the project has now. Throws what has nothing to do with the suggestion, as too many calls.
 */
export async function createSuggestionChecks(
  {
    prisma,
    projectNames,
    queryCompiler,
    materializability,
  }: Pick<Context, 'prisma' | 'projectNames' | 'queryCompiler' | 'materializability'>,
  project: ProjectAccess['project'],
  original: CheckedQuery,
): Promise<(sql: string) => Promise<SuggestionCheck>> {
  const shared = await sharedVariables(prisma, project.id);
  const names = await projectNames.of(project.id);
  const check = (query: CheckedQuery): Promise<QueryCheck> =>
    queryCompiler.check(query, shared, project.organizationId, names);
  const surface = surfaceOf(await check(original));

  async function problemOf(sql: string): Promise<string | null> {
    const checked = await check({ ...original, query: sql });
    const difference = suggestionDifference(surface, surfaceOf(checked));
    if (difference !== undefined) return difference;
    return await materializability.reasonOfQuery(checked.query, project.organizationId);
  }

  return async (sql) => {
    try {
      const problem = await problemOf(sql);
      return problem === null ? { ok: true } : { ok: false, problem, told: problem };
    } catch (error) {
      if (error instanceof AppError && error.status === 400)
        return { ok: false, problem: error.message, told: toldProblem(error, sql) };
      throw error;
    }
  };
}

const surfaceOf = ({ placeholders, columns }: QueryCheck): QuerySurface => ({
  placeholders: new Set(placeholders),
  columns,
});
