import type { ChangeBatch } from '@millrace/postgres/change.ts';
import { delay, type Clock } from '@millrace/runtime/clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Retry } from '../stream/retry.ts';
import { countShapes } from './count-shapes.ts';
import type { DefinitionStore } from './definition-store.ts';
import { createDefinitionWriter } from './definition-writer.ts';
import { forgetProjects } from './forget-projects.ts';
import { ProjectDefinitions } from './project-definitions.ts';
import { createUnwritten } from './unwritten.ts';

/** Names and types of what projects send (contract/decisions 74). One for all streams of a process. */
export interface Definitions {
  /** Learns the event and the properties of its person. Returns true when a name was left out because its project has too many. */
  learn(draft: EventDraft): boolean;
  learnGroup(projectId: number, groupTypeIndex: number, set: Readonly<Record<string, unknown>>): void;
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

export interface DefinitionsOptions {
  clock: Clock;
  /** Interval of the writes of counts, in milliseconds; default one minute. */
  everyMs?: number;
  /** Names, shapes and pairs in memory, over all projects. */
  sizeMax?: number;
  /** Counts could not be written; called once until they are. They are written at the next time. */
  onLost: (error: unknown) => void;
}

/** Names and shapes in memory, over all projects. */
const namesMax = 300_000;

/** Learns in memory; a batch of known names and settled types writes nothing. */
export function createDefinitions(
  store: DefinitionStore,
  { clock, everyMs = 60_000, sizeMax = namesMax, onLost }: DefinitionsOptions,
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
      project.learn(draft);
      if (project.leftOut === 0) return false;
      project.leftOut = 0;
      return true;
    },
    learnGroup(projectId, groupTypeIndex, set) {
      const project = projectOf(projectId);
      for (const name in set) project.learnValue('group', groupTypeIndex, name, set[name]);
    },
    async written(retry) {
      // The write of another batch may hold what this one has learned. When it fails, its part is due again.
      while (writing !== null || isDue()) await alone(() => writer.writeDue((work) => retry('postgres', work)));
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
