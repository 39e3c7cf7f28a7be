import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import { isOfUnknownName, type QueryWarning } from '@millrace/query-language/warnings.ts';
import type { ProjectNames } from './project-names.ts';

/**
 * Compiles with the names of a project. Cached names may be a minute old: before a name is called unknown they are read again, and the
 * work is repeated.
 */
export async function withNames<Result extends { warnings: readonly QueryWarning[] }>(
  projectNames: Pick<ProjectNames, 'of' | 'newest'>,
  projectId: number,
  work: (names: LearnedNames | undefined) => Result | Promise<Result>,
): Promise<Result> {
  const names = await projectNames.of(projectId);
  const result = await work(names);
  if (!result.warnings.some(isOfUnknownName)) return result;
  const newest = await projectNames.newest(projectId);
  return newest === names ? result : await work(newest);
}
