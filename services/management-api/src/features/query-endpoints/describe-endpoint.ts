import { setImmediate as turn } from 'node:timers/promises';
import type { Request } from 'express';
import type { ProjectAccess } from '../../auth/granted-access.ts';
import type { Context } from './context.ts';
import { renderEndpoint, renderVersion, type Endpoint, type StoredEndpoint, type StoredVersion } from './endpoint.ts';

interface Asked {
  context: Pick<Context, 'baseUrl' | 'materializability'>;
  auth: ProjectAccess;
  request: Request;
}

/**
 * The endpoint as the caller is shown it, by its current version or by the one that is given. Never fails, and waits for nothing: what it is
 * a reply to may have been saved.
 */
export function describeEndpoint(
  { context, auth, request }: Asked,
  stored: StoredEndpoint,
  version: StoredVersion | null = null,
): Endpoint {
  const verdict = context.materializability.verdictOf(version ?? stored.current, auth.project.organizationId);
  const baseUrl = context.baseUrl(request);
  return version === null ? renderEndpoint(stored, baseUrl, verdict) : renderVersion(stored, version, baseUrl, verdict);
}

/** Endpoints, or versions, as the caller is shown them. Others have their turn between them: each may be looked at for the first time. */
export async function describeEach(
  asked: Asked,
  all: readonly { stored: StoredEndpoint; version?: StoredVersion }[],
): Promise<Endpoint[]> {
  const described: Endpoint[] = [];
  for (const { stored, version } of all) {
    described.push(describeEndpoint(asked, stored, version));
    await turn();
  }
  return described;
}
