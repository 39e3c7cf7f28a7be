import { hash } from 'node:crypto';
import type { JsonObject } from '../frames/raw-frame.ts';

/** A release of the project (contract/orgs-errors 4.5). */
export interface Release {
  hashId: string;
  version: string;
  /** Name of the program; not our project. */
  project: string;
  createdAt: Date;
  metadata: unknown;
}

/** Ids by which an event names its release; undefined where it names none. They are to be looked up in its own project alone. */
export interface NamedRelease {
  /** UUID of the release's row. */
  id: string | undefined;
  /** Hash of name and version. */
  hashId: string | undefined;
}

/** `$exception_releases` of an event, by hash id (contract/decisions 113). */
type ExceptionReleases = Record<string, { version: string; project: string; timestamp: string; metadata?: unknown }>;

/** As many as the derived lists have (contract/decisions 108). */
const releasesMax = 100;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Reads which release an event says that it is of: by what posthog-cli injected, or by the app's own properties. Pure. */
export function releaseNamed(properties: JsonObject): NamedRelease {
  const { $release_id: id, $app_namespace: name } = properties;
  const version = [properties.$app_version, properties.$app_build].map(textOf).filter((part) => part !== '');
  const isNamed = typeof name === 'string' && name !== '' && version.length > 0;
  return {
    id: typeof id === 'string' && uuid.test(id) ? id.toLowerCase() : undefined,
    // As posthog-cli hashes them when it makes a release of an app.
    hashId: isNamed ? hash('sha512', name + version.join('+')) : undefined,
  };
}

/** Some SDKs send the number of a build as one. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Releases of the sets that frames were looked for in, and of the event itself, each once; the first hundred. Pure. */
export const exceptionReleases = (releases: readonly Release[]): ExceptionReleases =>
  Object.fromEntries(
    [...new Map(releases.map((release) => [release.hashId, release])).values()]
      .slice(0, releasesMax)
      .map(({ hashId, version, project, createdAt, metadata }) => [
        hashId,
        {
          version,
          project,
          timestamp: createdAt.toISOString(),
          ...(metadata !== null && metadata !== undefined && { metadata }),
        },
      ]),
  );
