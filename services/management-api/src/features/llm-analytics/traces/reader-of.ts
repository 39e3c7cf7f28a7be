import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { TraceReader } from './find-trace-events.ts';

/** The caller of a route as the reader of its project's events. */
export function readerOf({ caller, project }: ProjectAccess, signal: AbortSignal): TraceReader {
  return { teamId: project.id, organizationId: project.organizationId, keyId: caller.keyId, signal };
}
