import type { Context } from '../context.ts';
import type { StoredEndpoint } from '../endpoint.ts';

/** Longest wait of a request for a build that it made due (contract/endpoints 6.1). */
const firstBuildMsMax = 2_000;

/** The parts that a first build needs. */
export interface BuildingParts {
  builds: Pick<Context['builds'], 'buildNow'>;
  endpoints: Pick<Context['endpoints'], 'findById'>;
}

/**
 * The endpoint after the build of one of its versions, or after 2 s without. Never fails: it is saved. As it was then, where it cannot be
 * read again or is deleted meanwhile.
 */
export async function afterFirstBuild(
  { builds, endpoints }: BuildingParts,
  stored: StoredEndpoint,
  versionId: string,
): Promise<StoredEndpoint> {
  await builds.buildNow(versionId, firstBuildMsMax);
  return (await endpoints.findById(stored.endpoint.id).catch(() => null)) ?? stored;
}
