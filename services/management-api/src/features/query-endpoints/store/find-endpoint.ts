import { AppError } from '@millrace/http/errors/errors.ts';
import { nearestName } from '@millrace/query-language/nearest-name.ts';
import type { Context } from '../context.ts';
import type { StoredEndpoint, StoredVersion } from '../endpoint.ts';
import type { RunnableEndpoint, RunnableVersion } from './runnable-endpoint.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';

interface NamedCall {
  params: { name: string };
  auth: ProjectAccess;
  context: Context;
}

/** The endpoint of the path. @throws {AppError} not_found: unknown, deleted, or of another project */
export async function findEndpoint({ params, auth, context }: NamedCall): Promise<StoredEndpoint> {
  const stored = await context.endpoints.find(auth.project.id, params.name);
  if (stored === null) throw await noSuchEndpoint({ params, auth, context });
  return stored;
}

/** Finds the endpoint of the path for a run; one that is switched off is not found (contract/endpoints 0.4). @throws {AppError} not_found */
export async function findRunnableEndpoint({ params, auth, context }: NamedCall): Promise<RunnableEndpoint> {
  const found = await context.runnableEndpoints.find(auth.project.id, params.name);
  if (found === null) throw await noSuchEndpoint({ params, auth, context });
  // Another endpoint may have taken the name since the token was made. Its holder learns nothing about it.
  if (auth.runToken !== undefined && auth.runToken.endpoint.id !== found.endpoint.id) throw new AppError('not_found');
  if (!found.endpoint.isActive) throw switchedOff(found.endpoint.name);
  return found;
}

/**
 * Names the endpoint that is not there, and one that the caller may have meant. A run token gets no name of another
 * endpoint.
 */
export async function noSuchEndpoint({ params, auth, context }: NamedCall): Promise<AppError> {
  if (auth.runToken !== undefined) return new AppError('not_found');
  const meant = nearestName(params.name, await context.endpoints.names(auth.project.id));
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new AppError('not_found', {
    detail: `Not found. This project has no endpoint "${params.name.slice(0, shownLengthMax)}".${hint}`,
    logged: 'The project has no such endpoint.',
  });
}

const switchedOff = (name: string): AppError =>
  new AppError('not_found', {
    detail: `Not found. The endpoint "${name}" is switched off: set is_active to run it.`,
    logged: 'The endpoint is switched off.',
  });

const shownLengthMax = 200;

/**
 * One version of the endpoint, the current one when none is named.
 * @throws {AppError} not_found with `error` and `current_version` (contract/endpoints 4.6)
 */
export async function findVersion(
  context: Context,
  found: StoredEndpoint,
  version: number | undefined,
): Promise<StoredVersion> {
  return await versionOf(found, version, () => context.endpoints.findVersion(found.endpoint.id, version ?? 0));
}

/** Finds a version for a run. @throws {AppError} as `findVersion` */
export async function findRunnableVersion(
  context: Context,
  found: RunnableEndpoint,
  version: number | undefined,
): Promise<RunnableVersion> {
  return await versionOf(found, version, () => context.runnableEndpoints.findVersion(found.endpoint.id, version ?? 0));
}

interface Versioned<Version> {
  endpoint: { name: string; currentVersion: number };
  current: Version;
}

async function versionOf<Version extends { version: number }>(
  { endpoint, current }: Versioned<Version>,
  version: number | undefined,
  find: () => Promise<Version | null>,
): Promise<Version> {
  if (version === undefined || version === current.version) return current;
  const found = await find();
  if (found !== null) return found;
  throw new AppError('not_found', {
    detail: `Version ${version} of endpoint "${endpoint.name}" does not exist.`,
    logged: 'This version of the endpoint does not exist.',
    bare: true,
    fields: { current_version: endpoint.currentVersion },
  });
}
