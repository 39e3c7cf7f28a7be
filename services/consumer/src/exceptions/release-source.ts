import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { NamedRelease, Release } from '@millrace/symbolication/exceptions/exception-releases.ts';
import type { Queryable, Statement } from '../database.ts';
import { heapBytesOf } from './heap-bytes.ts';
import { createReadCache } from './read-cache.ts';

/** The release that an event of a project names. */
export interface ProjectRelease extends NamedRelease {
  projectId: number;
}

/** Releases of all projects, in Postgres; what was read is kept. */
export interface ReleaseSource {
  /** Finds the releases that events name, by `releaseKey`; of other projects none. Throws what `pg` throws. */
  find(named: readonly ProjectRelease[]): Promise<ReadonlyMap<string, readonly Release[]>>;
  onChange(changes: ChangeBatch): void;
}

/** One text for what an event names. */
export const releaseKey = ({ projectId, id = '', hashId = '' }: ProjectRelease): string =>
  `${projectId}:${id}:${hashId}`;

/** The names of a release that an event has, one by one: anyone may make up versions beside an id, and its release is kept once. */
const namesIn = ({ projectId, id, hashId }: ProjectRelease): ProjectRelease[] => [
  ...(id === undefined ? [] : [{ projectId, id, hashId: undefined }]),
  ...(hashId === undefined ? [] : [{ projectId, id: undefined, hashId }]),
];

/** Memory of all that are kept. */
const bytesMax = 33_554_432;

/** A release as JSON, of the alias `r`; null without one. */
export const releaseJson = `CASE WHEN r.id IS NOT NULL THEN json_build_object('hashId', r.hash_id, 'version', r.version, 'project', r.project,
  'createdAt', r.created_at, 'metadata', r.metadata) END`;
export type FoundRelease = Omit<Release, 'createdAt'> & { createdAt: string };

export const toRelease = (found: FoundRelease): Release => ({ ...found, createdAt: new Date(found.createdAt) });

export function createReleaseSource(db: Queryable, clock: Clock): ReleaseSource {
  const known = createReadCache<string, readonly Release[]>(clock, { bytesMax, bytesOf: heapBytesOf });
  return {
    async find(named) {
      const wanted = new Map(named.flatMap(namesIn).map((one) => [releaseKey(one), one]));
      const releases = await known.read(wanted.keys(), async (keys) => {
        const asked = keys.map((key) => [key, wanted.get(key) as ProjectRelease] as const);
        const { rows } = await db.query<{ key: string; releases: FoundRelease[] }>(selectReleases(asked));
        const found = new Map(rows.map(({ key, releases }) => [key, releases.map(toRelease)]));
        return new Map(keys.map((key) => [key, found.get(key) ?? []]));
      });
      return new Map(
        named.map((one) => [releaseKey(one), namesIn(one).flatMap((name) => releases.get(releaseKey(name)) ?? [])]),
      );
    },
    onChange(changes) {
      if (changes === 'everything') return known.forgetAll();
      const changed = new Set(
        changes.filter(({ topic }) => topic === 'release').map(({ projectId }) => `${projectId}`),
      );
      if (changed.size > 0) known.forgetAll((key) => changed.has(key.slice(0, key.indexOf(':'))));
    },
  };
}

function selectReleases(named: readonly (readonly [string, ProjectRelease])[]): Statement {
  return {
    name: 'find-named-releases',
    text: `SELECT named.key, json_agg(${releaseJson}) AS releases
      FROM unnest($1::text[], $2::int[], $3::uuid[], $4::text[]) AS named(key, project_id, id, hash_id)
        JOIN error_tracking_releases r ON r.project_id = named.project_id AND (r.id = named.id OR r.hash_id = named.hash_id)
      GROUP BY named.key`,
    values: [
      named.map(([key]) => key),
      named.map(([, { projectId }]) => projectId),
      named.map(([, { id }]) => id ?? null),
      named.map(([, { hashId }]) => hashId ?? null),
    ],
  };
}
