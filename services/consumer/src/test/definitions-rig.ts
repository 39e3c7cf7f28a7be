import { learnedNamesMax, valueKinds } from '@millrace/contracts/property-types.ts';
import type { Change } from '@millrace/postgres/change.ts';
import { createDefinitions, type Definitions, type Learned } from '../definitions/definitions.ts';
import type { DefinitionStore } from '../definitions/definition-store.ts';
import type { Retry } from '../stream/retry.ts';
import { processedDraft, testProject } from './drafts.ts';

/** Retries nothing. */
export const noRetry: Retry = (_, work) => work(0, () => undefined);

/** A property in Postgres. */
export interface Row {
  counts: number[];
  reopenings: number;
  /** Kinds of the values that settled the type; null: open. */
  type: string | null;
}

interface StoreOptions {
  /** Names of a kind. */
  namesMax?: number;
  fails?: () => boolean;
  /** Called when a statement is done, before its result is there. */
  onDone?: (statement: string) => void;
}

/** A store in memory that settles and refuses as Postgres does, and the statements that it got. */
export interface StoreInMemory {
  store: DefinitionStore;
  events: Set<string>;
  pairs: Set<string>;
  properties: Map<string, Row>;
  /** Projects that were called complete and not marked since. */
  complete: Set<number>;
  statements: string[];
  /** Values of a property, by kind; those without a value are left out. */
  counts: (key: string) => Record<string, number> | undefined;
  /** As `PATCH` with null does. Returns the news of it. */
  reopen: (key: string) => Change[];
}

/** Postgres refuses a statement that writes one row twice. */
function refuseTwice(keys: readonly string[]): void {
  if (new Set(keys).size < keys.length) throw new Error('a row is twice in one statement');
}

const keyOf = ({ owner, groupTypeIndex, name }: { owner: string; groupTypeIndex: number; name: string }): string =>
  `${owner}${groupTypeIndex === -1 ? '' : groupTypeIndex}.${name}`;

const countsOf = (counts: readonly number[]): Record<string, number> =>
  Object.fromEntries(valueKinds.flatMap((kind, at) => (counts[at] ? [[kind, counts[at]]] : [])));

export function storeInMemory({
  namesMax = learnedNamesMax,
  fails = () => false,
  onDone = () => undefined,
}: StoreOptions = {}): StoreInMemory {
  const properties = new Map<string, Row>();
  const events = new Set<string>();
  const pairs = new Set<string>();
  const statements: string[] = [];
  async function reach<T>(statement: string, work: () => T): Promise<T> {
    await Promise.resolve();
    statements.push(statement);
    if (fails()) throw new Error('away');
    const result = work();
    onDone(statement);
    await Promise.resolve();
    return result;
  }
  const complete = new Set<number>();
  const namesOf = (owner: string): string[] =>
    owner === 'events'
      ? [...events]
      : [...properties.keys()].filter((key) => key.startsWith(`${owner}.`)).map((key) => key.slice(owner.length + 1));
  const store: DefinitionStore = {
    writeEvents: (given) =>
      reach('events', () => {
        refuseTwice(given.map(({ name }) => name));
        const taken = given.filter(({ name }) => (events.size < namesMax && events.add(name)) || events.has(name));
        return new Set(taken);
      }),
    writeProperties: (given) =>
      reach('properties', () => {
        refuseTwice(given.map(({ property }) => keyOf(property)));
        const stored = new Map();
        for (const { property, counts, reopenings } of given) {
          const known = properties.get(keyOf(property));
          if (known === undefined && namesOf(property.owner).length >= namesMax) continue;
          const row = known ?? { counts: valueKinds.map(() => 0), reopenings: 0, type: null };
          properties.set(keyOf(property), row);
          if ((reopenings ?? row.reopenings) === row.reopenings)
            row.counts = row.counts.map((count, index) => count + (counts[index] as number));
          if (row.counts.reduce((sum, count) => sum + count, 0) >= 20)
            row.type ??= Object.keys(countsOf(row.counts)).join(' ');
          stored.set(property, { isSettled: row.type !== null, reopenings: row.reopenings });
        }
        return stored;
      }),
    writePairs: (given) =>
      reach('pairs', () => {
        for (const { event, property } of given)
          if (events.has(event) && properties.has(`event.${property}`)) pairs.add(`${event} ${property}`);
      }),
    findNames: (projectIds) =>
      reach('names', () =>
        projectIds.flatMap((projectId) =>
          (['events', 'event', 'person'] as const)
            .filter((owner) => namesOf(owner).length > 0)
            .map((owner) => ({
              projectId,
              owner,
              groupTypeIndex: -1,
              names: namesOf(owner),
            })),
        ),
      ),
    complete: (ids) => reach('complete', () => ids.forEach((id) => complete.add(id))),
    markIncomplete: (ids) => reach('mark', () => ids.forEach((id) => complete.delete(id))),
    settleOld: () => Promise.resolve(),
  };
  return {
    store,
    events,
    pairs,
    properties,
    complete,
    statements,
    counts(key) {
      const found = properties.get(key);
      return found && countsOf(found.counts);
    },
    reopen(key) {
      const row = properties.get(key) as Row;
      properties.set(key, { counts: valueKinds.map(() => 0), reopenings: row.reopenings + 1, type: null });
      const [owner, name] = key.split('.');
      return [{ topic: 'property_type', projectId: testProject.id, keys: [`${owner}:-1:${name}`] }];
    },
  };
}

/** A process that learns into the store. */
export interface Learner {
  clock: { ms: number; nowMs: () => number };
  definitions: Definitions;
  /** Errors of writes of counts that were reported. */
  lost: unknown[];
  /** Learns an event; at the latest when `written` is called, as its project must be read first. */
  send: (event: string, properties: unknown, head?: object) => Learned;
  /** Learns properties of a group, in the same way. */
  sendGroup: (groupTypeIndex: number, set: Record<string, unknown>) => void;
  /** Writes counts as each minute does, once. */
  writeCounts: () => Promise<void>;
}

export function learner(
  store: DefinitionStore,
  { everyMs = 3_600_000, sizeMax = 300_000, stored = new Set<number>() } = {},
): Learner {
  const clock = { ms: Date.UTC(2026, 4, 4), nowMs: () => clock.ms };
  const lost: unknown[] = [];
  const findStored = (ids: readonly number[]): Promise<ReadonlySet<number>> =>
    Promise.resolve(new Set(ids.filter((id) => stored.has(id))));
  const learning = createDefinitions(store, {
    ...{ findStored, clock, everyMs, sizeMax },
    onLost: (error) => lost.push(error),
  });
  const waiting: (() => Learned)[] = [];
  // As the pipeline does: what finds its project unread is learned when it is read.
  const learn = (one: () => Learned): Learned => {
    const learned = waiting.length > 0 ? 'unread' : one();
    if (learned === 'unread') waiting.push(one);
    return learned;
  };
  const definitions: Definitions = {
    ...learning,
    async written(retry) {
      for (let one = waiting[0]; one !== undefined; one = waiting[0])
        if (one() === 'unread') await learning.read([testProject.id], retry);
        else waiting.shift();
      await learning.written(retry);
    },
  };
  return {
    clock,
    definitions,
    lost,
    send(event, properties, head = {}) {
      const draft = processedDraft({ event, ...head }, JSON.stringify(properties), testProject);
      return learn(() => learning.learn(draft));
    },
    sendGroup: (groupTypeIndex, set) => void learn(() => learning.learnGroup(testProject.id, groupTypeIndex, set)),
    async writeCounts() {
      definitions.start();
      await definitions.stop();
    },
  };
}
