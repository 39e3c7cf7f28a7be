import { AppError } from '@millrace/http/errors.ts';
import type { ProjectAccess } from '../../auth/access.ts';
import type { Context } from '../../context.ts';
import type { StoredEndpoint, StoredVersion } from './endpoint.ts';

interface NamedCall {
  params: { name: string };
  auth: ProjectAccess;
  context: Context;
}

/** The endpoint of the path. @throws {AppError} not_found: unknown, deleted, or of another project */
export async function findEndpoint({ params, auth, context }: NamedCall): Promise<StoredEndpoint> {
  const stored = await context.endpoints.find(auth.project.id, params.name);
  if (stored === null) throw new AppError('not_found');
  return stored;
}

/** The same for a run: an endpoint that is switched off is not there (contract/endpoints 0.4). @throws {AppError} not_found */
export async function findActiveEndpoint(call: NamedCall): Promise<StoredEndpoint> {
  const stored = await findEndpoint(call);
  if (!stored.endpoint.isActive) throw new AppError('not_found');
  return stored;
}

/**
 * One version of the endpoint, the current one when none is named.
 * @throws {AppError} not_found with `error` and `current_version` (contract/endpoints 4.6)
 */
export async function findVersion(context: Context, stored: StoredEndpoint, version: number | undefined): Promise<StoredVersion> {
  if (version === undefined || version === stored.current.version) return stored.current;
  const found = await context.endpoints.findVersion(stored.endpoint.id, version);
  if (found !== null) return found;
  throw new AppError('not_found', {
    detail: `Version ${version} of endpoint "${stored.endpoint.name}" does not exist.`,
    bare: true,
    fields: { current_version: stored.endpoint.currentVersion },
  });
}
