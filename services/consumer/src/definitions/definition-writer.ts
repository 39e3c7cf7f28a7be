import { countShapes } from './count-shapes.ts';
import type { DefinitionStore, KindNames, NameKind, PropertySeen } from './definition-store.ts';
import type { ProjectDefinitions } from './project-definitions.ts';
import { statementSlices } from './statement-slices.ts';
import type { LearnedEvent, LearnedProperty, Unwritten } from './unwritten.ts';
import { noCounts } from './value-kind.ts';

/** Runs a statement, once or until it is done. */
type Run = <T>(statement: () => Promise<T>) => Promise<T>;

/** Writes what was learned. One write at a time: so the values of a property are written once, by whoever took them. */
export interface DefinitionWriter {
  /** Writes new names, and values that can decide a type. */
  writeDue(run: Run): Promise<void>;
  /** Writes counts and times, and settles types. Throws what `pg` throws. */
  writeCounts(): Promise<void>;
}

/** Counts that are on their way. */
interface TakenCounts {
  readonly property: LearnedProperty;
  readonly counts: readonly number[];
  readonly reopenings: number | null;
  /** Takes the values that come meanwhile. The property has another one when it was opened again since. */
  readonly rest: number[];
}

/** The writer over a store. What it does not write is in `unwritten` again. */
export function createDefinitionWriter(
  store: DefinitionStore,
  unwritten: Unwritten,
  projectOf: (id: number) => ProjectDefinitions,
  nowMs: () => number,
): DefinitionWriter {
  const once: Run = (statement) => statement();
  const seenNow = (): PropertySeen => ({ firstMs: nowMs(), lastMs: nowMs(), firstValueMs: nowMs() });

  async function writeEvents(events: readonly LearnedEvent[], run: Run): Promise<void> {
    const stored = await run(() => store.writeEvents(events, seenNow));
    await refuse(
      events.filter((event) => !stored.has(event)),
      run,
    );
  }

  async function writeProperties(properties: readonly LearnedProperty[], run: Run): Promise<void> {
    const given = properties.map(takeCounts);
    const stored = await run(() => store.writeProperties(given, seenNow)).catch((error: unknown) => {
      given.forEach(giveBack);
      throw error;
    });
    for (const { property, rest } of given) {
      const found = stored.get(property);
      if (found === undefined || property.counts !== rest) continue;
      const isOpened = property.isSettled && !found.isSettled;
      if (isOpened || (property.reopenings ?? found.reopenings) !== found.reopenings) {
        countShapes(unwritten);
        projectOf(property.projectId).reopen(property, found.reopenings);
      }
      property.isSettled = found.isSettled;
      property.reopenings = found.reopenings;
    }
    await refuse(
      properties.filter((property) => !stored.has(property)),
      run,
    );
  }

  /** Forgets names that Postgres does not take. The first time it also reads which names of their kind Postgres has. */
  async function refuse(refused: readonly (LearnedEvent | LearnedProperty)[], run: Run): Promise<void> {
    const open = new Map<string, NameKind>();
    for (const kind of refused.map(nameKindOf))
      if (!projectOf(kind.projectId).isFull(kind)) open.set(Object.values(kind).join(':'), kind);
    const found: KindNames[] = [];
    for (const projectId of new Set([...open.values()].map((kind) => kind.projectId)))
      found.push(...(await run(() => store.findNames([projectId]))));
    // First: another consumer may have added a refused name just then, and it is learned when it comes again.
    for (const one of refused) projectOf(one.projectId).refuse(one);
    for (const kind of open.values())
      projectOf(kind.projectId).close(kind, found.find((names) => isOfKind(names, kind))?.names ?? []);
  }

  return {
    async writeDue(run) {
      const { events, properties, pairs } = unwritten;
      // Pairs that come later name what is not written yet.
      const named = [...pairs];
      await eachSlice(events, (slice) => writeEvents(slice, run));
      await eachSlice(properties, (slice) => writeProperties(slice, run));
      await eachSlice(
        pairs,
        (slice) =>
          run(() =>
            store.writePairs(
              slice.map(({ event, property }) => ({
                projectId: event.projectId,
                event: event.name,
                property: property.name,
              })),
            ),
          ),
        named,
      );
    },
    async writeCounts() {
      countShapes(unwritten);
      await eachSlice(unwritten.seenEvents, (slice) => store.writeEvents(slice, seenNow));
      await eachSlice(unwritten.counted, (slice) => writeProperties(slice, once));
      await store.settleOld();
    },
  };
}

/** Takes members of the set in slices. Those of a slice whose work fails are members again. */
async function eachSlice<T>(set: Set<T>, work: (slice: T[]) => Promise<unknown>, members = [...set]): Promise<void> {
  for (const slice of statementSlices(members)) {
    for (const one of slice) set.delete(one);
    try {
      await work(slice);
    } catch (error) {
      for (const one of slice) set.add(one);
      throw error;
    }
  }
}

function takeCounts(property: LearnedProperty): TakenCounts {
  const { counts, reopenings } = property;
  const rest = noCounts();
  property.counts = rest;
  return { property, counts, reopenings, rest };
}

function giveBack({ property, counts, rest }: TakenCounts): void {
  if (property.counts === rest) property.counts = rest.map((count, index) => count + (counts[index] as number));
}

function nameKindOf(name: LearnedEvent | LearnedProperty): NameKind {
  const { projectId } = name;
  if (!('owner' in name)) return { projectId, owner: 'events', groupTypeIndex: -1 };
  return { projectId, owner: name.owner, groupTypeIndex: name.groupTypeIndex };
}

function isOfKind(one: NameKind, other: NameKind): boolean {
  return one.projectId === other.projectId && one.owner === other.owner && one.groupTypeIndex === other.groupTypeIndex;
}
