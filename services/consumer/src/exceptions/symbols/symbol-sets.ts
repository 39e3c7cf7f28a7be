import { hash } from 'node:crypto';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Release } from '@millrace/symbolication/exceptions/exception-releases.ts';
import { LRUCache } from 'lru-cache';
import type { Queryable, Statement } from '../../database.ts';
import { heapBytesOf } from '../heap-bytes.ts';
import { createReadCache } from '../read-cache.ts';
import { releaseJson, toRelease, type FoundRelease } from '../release-source.ts';

/** A ref of a project: chunk id or URL. */
export interface SetName {
  projectId: number;
  ref: string;
}

/** A symbol set as far as frames are resolved by it. */
export interface SymbolSet extends SetName {
  id: string;
  /** Object of its file; null: none was uploaded. */
  storageKey: string | null;
  release: Release | null;
}

/** The sets that a batch named. */
export interface MetSets {
  used: readonly SymbolSet[];
  /** Names without a file. */
  missing: readonly (SetName & { reason: string })[];
  /** Sets whose file cannot be read. */
  unreadable: readonly { set: SymbolSet; reason: string }[];
  /** Sets whose file was not read in time. */
  late: readonly SetName[];
}

/** The symbol sets of all projects, in Postgres; what was read is kept. */
export interface SymbolSets {
  /** Finds these, by `setKey`; one that there is not is left out. Throws what `pg` throws. */
  find(names: readonly SetName[]): Promise<ReadonlyMap<string, SymbolSet>>;
  /**
   * Notes what events named: sets that are used now, names without a file, files that cannot be read, and those that were late, by which
   * stored exceptions are to be resolved anew. Throws what `pg` throws.
   */
  record(met: MetSets): Promise<void>;
  onChange(changes: ChangeBatch): void;
}

/** One text for the two. */
export const setKey = ({ projectId, ref }: SetName): string => `${projectId}:${ref}`;

/** As `setKey`, and short: anyone may make up long refs. What looks like a hash is no ref. */
const shortKey = ({ projectId, ref }: SetName): string =>
  setKey({ projectId, ref: ref.length > 64 || ref.startsWith('#') ? `#${hash('sha256', ref, 'base64url')}` : ref });

/** Memory of all sets that are kept. */
const bytesMax = 67_108_864;
/** Names of which it is known that they were recorded. */
const recordedMax = 50_000;
/** `last_used` is rewritten no more often (contract/orgs-errors 4.3). */
const recordedMs = 12 * 3_600_000;

type FoundSet = Omit<SymbolSet, 'release'> & { release: FoundRelease | null };

export function createSymbolSets(db: Queryable, clock: Clock): SymbolSets {
  const known = createReadCache<string, SymbolSet | null>(clock, { bytesMax, bytesOf: heapBytesOf });
  const recorded = new LRUCache<string, number>({ max: recordedMax });

  function forget(projectId: number, refs: readonly string[]): void {
    if (refs.length > 0) for (const ref of refs) known.forget(shortKey({ projectId, ref }));
    else known.forgetAll((key) => key.startsWith(`${projectId}:`));
  }

  const isDue = (key: string): boolean => (recorded.get(key) ?? -Infinity) <= clock.nowMs() - recordedMs;

  /** Does the work for what was not recorded lately, or for as much of it as `someOf` says: the rest is recorded when it comes again. */
  async function recordDue<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => string,
    work: (due: readonly Item[]) => Statement,
    someOf: (due: readonly Item[]) => readonly Item[] = (due) => due,
  ) {
    const due = someOf(items.filter((item) => isDue(keyOf(item))));
    if (due.length === 0) return;
    await db.query(work(due));
    for (const item of due) recorded.set(keyOf(item), clock.nowMs());
  }

  return {
    async find(names) {
      const wanted = new Map(names.map((name) => [shortKey(name), name]));
      const sets = await known.read(wanted.keys(), async (keys) => {
        const { rows } = await db.query<FoundSet>(selectSets(keys.map((key) => wanted.get(key) as SetName)));
        const found = new Map(
          rows.map(({ release, ...set }) => [shortKey(set), { ...set, release: release && toRelease(release) }]),
        );
        return new Map(keys.map((key) => [key, found.get(key) ?? null]));
      });
      return new Map([...sets.values()].filter((set) => set !== null).map((set) => [setKey(set), set]));
    },
    async record({ used, missing, unreadable, late }) {
      await recordDue(used, ({ id }) => id, touchSets);
      await recordDue(missing, (name) => `missing ${shortKey(name)}`, listMissing, thousandOfEach);
      await recordDue(unreadable, ({ set }) => `unreadable ${set.storageKey}`, noteFailures);
      if (late.length > 0) await db.query(noteLate(late));
    },
    onChange(changes) {
      if (changes === 'everything') return known.forgetAll();
      for (const { topic, projectId, keys } of changes) {
        if (projectId === null) continue;
        if (topic === 'symbol_set') forget(projectId, keys);
        // A set is kept with its release.
        if (topic === 'release') forget(projectId, []);
      }
    },
  };
}

function selectSets(names: readonly SetName[]): Statement {
  return {
    name: 'find-symbol-sets',
    text: `SELECT s.project_id AS "projectId", s.ref, s.id::text, s.storage_key AS "storageKey", ${releaseJson} AS release
      FROM unnest($1::int[], $2::text[]) AS named(project_id, ref) JOIN symbol_sets s USING (project_id, ref)
        LEFT JOIN error_tracking_releases r ON r.id = s.release_id`,
    values: [names.map(({ projectId }) => projectId), names.map(({ ref }) => ref)],
  };
}

/** Seconds from a late set to resolving anew: its exceptions are stored by then, and the storage may be back. */
const lateWaitSeconds = 300;

function noteLate(sets: readonly SetName[]): Statement {
  const noted = sets.map(({ projectId, ref }) => ({ project_id: projectId, ref }));
  return {
    name: 'note-late-maps',
    text: 'SELECT note_late_maps($1, $2)',
    values: [JSON.stringify(noted), lateWaitSeconds],
  };
}

function touchSets(sets: readonly SymbolSet[]): Statement {
  return {
    name: 'touch-symbol-sets',
    text: `UPDATE symbol_sets SET last_used_at = now()
      WHERE id IN (SELECT id FROM symbol_sets WHERE id = ANY($1::uuid[]) AND (last_used_at IS NULL OR last_used_at < now() - interval '12 hours')
        ORDER BY project_id, ref FOR NO KEY UPDATE)`,
    values: [sets.map(({ id }) => id)],
  };
}

/** As many of each project as it keeps (contract/decisions 106). */
const thousandOfEach = <Name extends SetName>(names: readonly Name[]): Name[] =>
  [...Map.groupBy(names, ({ projectId }) => projectId).values()].flatMap((of) => of.slice(0, 1_000));

function listMissing(names: readonly (SetName & { reason: string })[]): Statement {
  const rows = names.map(({ projectId, ref, reason }) => ({ project_id: projectId, ref, reason }));
  return { name: 'list-missing-symbols', text: 'SELECT list_missing_symbols($1)', values: [JSON.stringify(rows)] };
}

function noteFailures(failures: MetSets['unreadable']): Statement {
  return {
    name: 'note-unreadable-symbols',
    text: `UPDATE symbol_sets s SET failure_reason = failed.reason
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS failed(id, storage_key, reason)
      WHERE s.id = failed.id AND s.storage_key = failed.storage_key`,
    values: [
      failures.map(({ set }) => set.id),
      failures.map(({ set }) => set.storageKey),
      failures.map(({ reason }) => reason),
    ],
  };
}
