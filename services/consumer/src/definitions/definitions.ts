import { delay, type Clock } from '@millrace/runtime/clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Retry } from '../stream/retry.ts';
import type { DefinitionStore, PropertyCounts, Seen } from './definition-store.ts';
import { ProjectDefinitions, type LearnedProperty, type Unwritten } from './project-definitions.ts';
import { statementSlices } from './statement-slices.ts';
import { valueKinds } from './value-kind.ts';

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
  const unwritten: Unwritten = {
    events: new Set(),
    properties: new Set(),
    pairs: new Set(),
    seenEvents: new Set(),
    counted: new Set(),
    shapes: [],
  };
  const stopping = new AbortController();
  let writing: Promise<void> | null = null;
  let isLost = false;
  let running: Promise<void> = Promise.resolve();

  function projectOf(id: number): ProjectDefinitions {
    let project = projects.get(id);
    if (project === undefined) projects.set(id, (project = new ProjectDefinitions(id, unwritten, clock)));
    return project;
  }

  const now = (): Seen => ({ firstMs: clock.nowMs(), lastMs: clock.nowMs() });
  const isDue = (): boolean => unwritten.events.size + unwritten.properties.size + unwritten.pairs.size > 0;

  async function writeDue(run: <T>(work: () => Promise<T>) => Promise<T>): Promise<void> {
    await eachSlice(unwritten.events, async (events) => {
      const stored = await run(() => store.writeEvents(events, now));
      for (const event of events) if (!stored.has(event)) projectOf(event.projectId).refuse(event);
    });
    await eachSlice(unwritten.properties, (properties) => writeProperties(properties, run));
    // Pairs name what the statements above have written.
    await eachSlice(unwritten.pairs, (pairs) =>
      run(() =>
        store.writePairs(
          pairs.map(({ event, property }) => ({
            projectId: event.projectId,
            event: event.name,
            property: property.name,
          })),
        ),
      ),
    );
  }

  async function writeProperties(
    properties: readonly LearnedProperty[],
    run: <T>(work: () => Promise<T>) => Promise<T>,
  ): Promise<void> {
    const given = properties.map(takeCounts);
    try {
      const stored = await run(() => store.writeProperties(given, now));
      for (const property of properties) {
        const isSettled = stored.get(property);
        if (isSettled === undefined) projectOf(property.projectId).refuse(property);
        else property.isSettled = isSettled;
      }
    } catch (error) {
      given.forEach(giveBack);
      throw error;
    }
  }

  /** Counts of shapes become counts of their properties. */
  function countShapes(): void {
    for (const shape of unwritten.shapes.splice(0)) {
      shape.properties.forEach((property, index) => {
        const kind = shape.kinds[index] as number;
        if (kind !== -1) property.counts[kind] = (property.counts[kind] as number) + shape.count;
        unwritten.counted.add(property);
      });
      unwritten.seenEvents.add(shape.event);
      shape.count = 0;
    }
  }

  /**
   * Forgets projects when memory is short, those first that were not used since the last time. A project with names that are not written
   * stays: learned anew, a name would be twice in one statement, which Postgres refuses.
   */
  function forget(): void {
    const { events, properties, seenEvents, counted, pairs, shapes } = unwritten;
    const busy = new Set<number>();
    for (const names of [events, properties, seenEvents, counted])
      for (const { projectId } of names) busy.add(projectId);
    for (const { event } of [...pairs, ...shapes]) busy.add(event.projectId);
    let size = 0;
    for (const project of projects.values()) size += project.size;
    for (const onlyUnused of [true, false])
      for (const [id, project] of projects) {
        if (size <= sizeMax) break;
        if (busy.has(id) || (onlyUnused && project.isUsed)) continue;
        size -= project.size;
        projects.delete(id);
      }
    for (const project of projects.values()) project.renew();
  }

  /** One write at a time: so the values of a property are written once, by whoever took them. */
  async function alone(write: () => Promise<void>): Promise<void> {
    while (writing !== null) await writing.catch(() => undefined);
    await (writing = write().finally(() => (writing = null)));
  }

  async function writeCounts(): Promise<void> {
    countShapes();
    await eachSlice(unwritten.seenEvents, (events) => store.writeEvents(events, now));
    await eachSlice(unwritten.counted, (properties) => writeProperties(properties, (work) => work()));
    await store.settleOld();
    forget();
  }

  async function tryCounts(): Promise<void> {
    try {
      await alone(writeCounts);
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
      while (writing !== null || isDue()) await alone(() => writeDue((work) => retry('postgres', work)));
    },
    start: () => void (running = run()),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Takes the set's members in slices. Those of a slice whose work fails are members again. */
async function eachSlice<T>(set: Set<T>, work: (slice: T[]) => Promise<unknown>): Promise<void> {
  for (const slice of statementSlices([...set])) {
    for (const one of slice) set.delete(one);
    try {
      await work(slice);
    } catch (error) {
      for (const one of slice) set.add(one);
      throw error;
    }
  }
}

function takeCounts(property: LearnedProperty): PropertyCounts<LearnedProperty> {
  const { counts } = property;
  property.counts = valueKinds.map(() => 0);
  return { property, counts };
}

function giveBack({ property, counts }: PropertyCounts<LearnedProperty>): void {
  property.counts = property.counts.map((count, index) => count + (counts[index] as number));
}
