import type { Request } from 'express';
import type { ProjectAccess } from '../../auth/granted-access.ts';
import type { Context } from './context.ts';
import { renderEndpoint, renderVersion, type Endpoint, type StoredEndpoint, type StoredVersion } from './endpoint.ts';

interface Asked {
  context: Pick<Context, 'baseUrl' | 'materializability'>;
  auth: ProjectAccess;
  request: Request;
}

/** The endpoint as the caller is shown it, by its current version or by the one that is given. */
export async function shownEndpoint(
  { context, auth, request }: Asked,
  stored: StoredEndpoint,
  version: StoredVersion | null = null,
): Promise<Endpoint> {
  const described = version ?? stored.current;
  const reason =
    described.materialization === null
      ? await context.materializability.shown(described, auth.project.organizationId)
      : null;
  const baseUrl = context.baseUrl(request);
  return version === null ? renderEndpoint(stored, baseUrl, reason) : renderVersion(stored, version, baseUrl, reason);
}

/** Endpoints one after the other: each may have to be looked at. */
export async function shownEndpoints(asked: Asked, stored: readonly StoredEndpoint[]): Promise<Endpoint[]> {
  const shown: Endpoint[] = [];
  for (const each of stored) shown.push(await shownEndpoint(asked, each));
  return shown;
}
