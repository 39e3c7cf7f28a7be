import type { ChangeBatch } from '@millrace/postgres/change.ts';
import { delay, type Clock } from '@millrace/runtime/clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Retry } from '../stream/retry.ts';
import { countShapes } from './count-shapes.ts';
import type { DefinitionStore } from './definition-store.ts';
import { createDefinitionWriter } from './definition-writer.ts';
import { forgetProjects } from './forget-projects.ts';
import { ProjectDefinitions, type Missed } from './project-definitions.ts';
import { createUnwritten } from './unwritten.ts';

/** Names and types of what projects send (contract/decisions 74). One for all streams of a process. */
export interface Definitions {
  /** Learns the event and the properties of its person. */
  learn(draft: EventDraft): Learned;
  learnGroup(projectId: number, groupTypeIndex: number, set: Readonly<Record<string, unknown>>): Learned;
  /**
   * Reads the names that Postgres has of projects that are unread; must be called before their events are stored. A project that has
   * neither names nor stored events is complete: all names that it will ever send are learned.
   * @throws {StreamStoppedError}
   */
  read(projectIds: Iterable<number>, retry: Retry): Promise<void>;
  /**
   * Says of projects that names of theirs were put off, or events skipped, so that nobody is told that there are no others. Must be called
   * when the events are stored: a back-fill that begins later reads them.
   * @throws {StreamStoppedError}
   */
  markIncomplete(projectIds: Iterable<number>, retry: Retry): Promise<void>;
  /**
   * Resolves when all names and values that were learned before, and that are new or can decide a type, are in Postgres.
   * @throws {StreamStoppedError}
   */
  written(retry: Retry): Promise<void>;
  /** Begins the types anew that members have opened again. One that was missed is found when its counts are written. */
  onChange(changes: ChangeBatch): void;
  /** Begins to write counts and times each minute; a crash may lose those of a minute. */
  start: () => void;
  /** Writes them for the last time. */
  stop: () => Promise<void>;
}

/** Outcome of learning names. null: all are learned; `unread`: nothing was learned, because the project must be read first. */
export type Learned = Missed | 'unread' | null;

export interface DefinitionsOptions {
  /** The projects among these that have events in ClickHouse. */
  findStored: (projectIds: readonly number[]) => Promise<ReadonlySet<number>>;
  clock: Clock;
  /** Interval of the writes of counts, in milliseconds; default one minute. */
  everyMs?: number;
  /** Names, shapes, their properties, and pairs in memory, over all projects; default 300,000. */
  sizeMax?: number;
  /** Counts could not be written; called once until they are. They are written at the next time. */
  onLost: (error: unknown) => void;
}

/** Projects whose names are read at once. */
const readAtOnce = 10;

/** Learns in memory; a batch of known names and settled types writes nothing. */
export function createDefinitions(
  store: DefinitionStore,
  { findStored, clock, everyMs = 60_000, sizeMax = 300_000, onLost }: DefinitionsOptions,
): Definitions {
  const projects = new Map<number, ProjectDefinitions>();
  const unwritten = createUnwritten();
  const writer = createDefinitionWriter(store, unwritten, projectOf, () => clock.nowMs());
  const stopping = new AbortController();
  let writing: Promise<void> | null = null;
  let isLost = false;
  let running: Promise<void> = Promise.resolve();

  function projectOf(id: number): ProjectDefinitions {
    let project = projects.get(id);
    if (project === undefined) projects.set(id, (project = new ProjectDefinitions(id, unwritten, clock)));
    return project;
  }

  const isDue = (): boolean => unwritten.events.size + unwritten.properties.size + unwritten.pairs.size > 0;

  /** `key` is of the change feed: owner, index and name. */
  function reopen(project: ProjectDefinitions, key: string): void {
    const [owner = '', index, ...name] = key.split(':');
    const property = project.find(owner, Number(index), name.join(':'));
    if (property === undefined) return;
    countShapes(unwritten);
    project.reopen(property, null);
  }

  async function alone(write: () => Promise<void>): Promise<void> {
    while (writing !== null) await writing.catch(() => undefined);
    await (writing = write().finally(() => (writing = null)));
  }

  async function readSome(ids: readonly number[], retry: Retry): Promise<void> {
    const found = Map.groupBy(await retry('postgres', () => store.findNames(ids)), ({ projectId }) => projectId);
    const nameless = ids.filter((id) => found.get(id)?.some(({ owner }) => owner === 'events') !== true);
    if (nameless.length > 0) {
      const stored = await retry('clickhouse', () => findStored(nameless));
      const fresh = nameless.filter((id) => !stored.has(id));
      if (fresh.length > 0) await retry('postgres', () => store.complete(fresh));
    }
    for (const id of ids) projectOf(id).read(found.get(id) ?? []);
  }

  async function tryCounts(): Promise<void> {
    try {
      await alone(async () => {
        await writer.writeCounts();
        forgetProjects(projects, unwritten, sizeMax);
      });
      isLost = false;
    } catch (error) {
      if (!isLost) onLost(error);
      isLost = true;
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      await delay(everyMs, stopping.signal);
      await tryCounts();
      if (stopping.signal.aborted) return;
    }
  }

  return {
    learn(draft) {
      const project = projectOf(draft.project.id);
      if (!project.isRead) return 'unread';
      project.learn(draft);
      return project.takeMissed();
    },
    learnGroup(projectId, groupTypeIndex, set) {
      const project = projectOf(projectId);
      if (!project.isRead) return 'unread';
      for (const name in set) project.learnValue('group', groupTypeIndex, name, set[name]);
      return project.takeMissed();
    },
    async read(projectIds, retry) {
      const unread = [...new Set(projectIds)].filter((id) => !projectOf(id).isRead);
      for (let from = 0; from < unread.length; from += readAtOnce)
        await readSome(unread.slice(from, from + readAtOnce), retry);
    },
    async markIncomplete(projectIds, retry) {
      const ids = [...projectIds];
      if (ids.length > 0) await retry('postgres', () => store.markIncomplete(ids));
    },
    async written(retry) {
      // The write of another batch may hold what this one has learned. When it fails, its part is due again. One that begins after it takes
      // all that is due: what others learn from then on is not waited for.
      if (writing !== null || isDue()) await alone(() => writer.writeDue((work) => retry('postgres', work)));
    },
    onChange(changes) {
      if (changes === 'everything') return;
      for (const { topic, projectId, keys } of changes) {
        const project = topic === 'property_type' && projectId !== null ? projects.get(projectId) : undefined;
        if (project !== undefined) for (const key of keys) reopen(project, key);
      }
    },
    start: () => void (running = run()),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
