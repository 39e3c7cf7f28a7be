import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import type { QueryWarning } from '@millrace/query-language/warnings.ts';
import type { ProjectNames } from './project-names.ts';

/**
 * Compiles with the names of a project. Cached names may be a minute old: when a name that is called unknown has come since, they are read
 * again, and the work is repeated.
 */
export async function withNames<Result extends { warnings: readonly QueryWarning[] }>(
  projectNames: Pick<ProjectNames, 'of' | 'newest' | 'haveCome'>,
  projectId: number,
  work: (names: LearnedNames) => Result | Promise<Result>,
): Promise<Result> {
  const result = await work(await projectNames.of(projectId));
  const unknown = result.warnings.flatMap((warning) => warning.unknown ?? []);
  if (unknown.length === 0 || !(await projectNames.haveCome(projectId, unknown))) return result;
  return await work(await projectNames.newest(projectId));
}
