import type { ProjectAccess } from '../../auth/granted-access.ts';
import type { queryRows } from '../../queries/execute/query-rows.ts';

/** The caller, and the project whose events are read. */
export type Reader = Omit<Parameters<typeof queryRows>[2], 'isOfTable' | 'form' | 'wait'>;

/** The caller of a route as the reader of its project's events. */
export function readerOf({ caller, project }: ProjectAccess, signal: AbortSignal): Reader {
  return { teamId: project.id, organizationId: project.organizationId, keyId: caller.keyId, signal };
}
