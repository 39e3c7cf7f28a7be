import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { descriptionsOf } from '../groups/attach-groups.ts';
import { groupText, type GroupState } from '../groups/group.ts';
import { typeText } from '../groups/group-types.ts';
import { keyText, PersonProperties, type KnownId, type MappingState, type StoredPerson } from '../persons/person.ts';
import { lookupOf, entryRange, testEntry, testProject } from '../test/drafts.ts';
import { processEvent, readEntry } from '../steps/process-event.ts';
import { createLeaving, nobodyLeaves, type Leaving } from '../overflow/leaving-events.ts';
import { createProjectShares } from '../overflow/project-shares.ts';
import { applyIdentity, type IdentityBatch, type KnownProgress } from './apply-identity.ts';
import type { IdentityPlan } from './identity-plan.ts';
import type { IdentityStore, StreamProgress } from './identity-store.ts';
import { BatchTooLargeError } from '../stream/batch-too-large-error.ts';

const now = '2026-05-04T12:00:00.000000Z';

function stored(id: string): StoredPerson {
  return {
    id,
    teamId: 7,
    uuid: `a0000000-0000-4000-8000-0000000000${id}`,
    properties: new PersonProperties({ of: id }),
    isIdentified: false,
    createdAt: '2026-05-04T10:00:00.000000Z',
    lastSeenAt: '2026-05-04T10:00:00.123456Z',
    version: 3,
  };
}

const acme: GroupState = {
  teamId: 7,
  index: 0,
  key: 'acme',
  properties: new PersonProperties({}),
  createdAt: '2026-05-04T09:00:00.000000Z',
  updatedAt: now,
  version: 2,
};

/** Queries to a store, and plans that it gets. */
interface Received {
  plans: IdentityPlan[];
  keys: string[][];
  rooms: number[];
  bare: string[][];
  progress: number;
}

/** A store of these persons, by their distinct ids, and of one group. `answer` says what becomes of a plan. */
function storeOf(
  persons: Record<string, StoredPerson>,
  {
    progress,
    response = () => [],
    held = {},
    moved = [],
  }: {
    progress: () => StreamProgress;
    response?: (plan: IdentityPlan) => MappingState[] | null;
    held?: Record<string, number>;
    moved?: MappingState[];
  },
) {
  const received: Received = { plans: [], keys: [], rooms: [], bare: [], progress: 0 };
  const store: IdentityStore = {
    findPersons(keys, room, bare = new Set()) {
      received.bare.push([...bare]);
      received.keys.push(keys.map(({ distinctId }) => distinctId));
      received.rooms.push(room);
      const known = keys.flatMap((key): KnownId[] => {
        const person = persons[key.distinctId];
        return person === undefined ? [] : [{ ...key, mapping: { version: 0, person }, hadAnonymousEvents: false }];
      });
      return Promise.resolve(new Map(known.map((one) => [keyText(one), one])));
    },
    findGroups(keys) {
      return Promise.resolve(new Map(keys.length === 0 ? [] : [[groupText(acme), acme]]));
    },
    movedBy: () => Promise.resolve(moved),
    idsHeld: (some) => Promise.resolve(new Map(some.map(({ id }) => [id, held[id] ?? 1]))),
    progress() {
      received.progress++;
      return Promise.resolve(progress());
    },
    write(plan) {
      received.plans.push(plan);
      return Promise.resolve(response(plan));
    },
  };
  return { store, received };
}

const nothingYet = (): StreamProgress => ({ last: null, removed: [] });

function draft(offset: bigint, head = {}, body = '{}'): EventDraft {
  const read = processEvent(readEntry(entryRange(testEntry(head, body), offset)), lookupOf(testProject)).draft;
  if (read === null) throw new Error('not read');
  return read;
}

const identify = (offset: bigint): EventDraft => draft(offset, { event: '$identify' }, '{"$anon_distinct_id":"anon"}');
const describing = (offset: bigint, set: object): EventDraft =>
  draft(
    offset,
    { event: '$groupidentify' },
    JSON.stringify({ $group_type: 'company', $group_key: 'acme', $group_set: set }),
  );
const described = (drafts: readonly EventDraft[]) =>
  descriptionsOf(drafts, new Map([[typeText({ teamId: 7, type: 'company' }), 0]]));

const batch = (drafts: readonly EventDraft[], more: Partial<IdentityBatch> = {}): IdentityBatch => ({
  drafts,
  all: drafts,
  descriptions: described(drafts),
  stream: 's',
  last: drafts.at(-1)?.position.offset ?? 0n,
  now,
  again: false,
  isDivisible: true,
  writeBytesMax: Infinity,
  leaving: nobodyLeaves,
  ...more,
});

const two = { 'user-1': stored('11'), anon: stored('12') };

test('a merge that others keep coming between is left out after a while, with one warning; the rest of the batch is written (contract/capture 4.4)', async () => {
  const merging = identify(1n);
  const { store, received } = storeOf(two, {
    progress: nothingYet,
    response: ({ persons }) => (persons.merged.length > 0 ? null : []),
  });
  const { states } = await applyIdentity(batch([merging, draft(2n, {}, '{"$set":{"a":1}}')]), store, new Map());
  expect(states).toMatchObject({ persons: [{ properties: { values: { of: '11', a: 1 } } }], removed: [] });
  expect(merging.warnings.map(({ type }) => type)).toEqual(['merge_race_condition']);
  expect(received.plans.length).toBeLessThan(20);
});

test('persons that keep changing for whatever reason fail the batch, which is tried again as a whole', async () => {
  const { store } = storeOf(two, { progress: nothingYet, response: () => null });
  await expect(applyIdentity(batch([draft(1n, {}, '{"$set":{"a":1}}')]), store, new Map())).rejects.toThrow(
    'kept changing',
  );
});

test('a person with too many ids gets one warning, however often the batch was folded', async () => {
  const merging = identify(1n);
  let times = 0;
  const { store, received } = storeOf(two, {
    progress: nothingYet,
    held: { 12: 50_001 },
    response: () => (++times < 3 ? null : []),
  });
  await applyIdentity(batch([merging, draft(2n, {}, '{"$set":{"a":1}}')]), store, new Map());
  expect(received.plans.map(({ persons: { merged } }) => merged)).toEqual([[], [], []]);
  expect(merging.warnings.map(({ type }) => type)).toEqual(['merge_move_limit_exceeded']);
});

describe('merges of one batch move 50,000 distinct ids at most, which is one statement', () => {
  const three = { ...two, other: stored('13') };
  const merges = (): EventDraft[] => [identify(1n), draft(2n, { event: '$merge_dangerously' }, '{"alias":"other"}')];
  const held = { 12: 30_000, 13: 30_000 };

  test('a batch with more is divided', async () => {
    const { store, received } = storeOf(three, { progress: nothingYet, held });
    await expect(applyIdentity(batch(merges()), store, new Map())).rejects.toThrow(BatchTooLargeError);
    expect(received.plans).toEqual([]);
  });

  test('that a batch is to be divided is known before all of its persons are counted', async () => {
    const { store } = storeOf({ ...three, more: stored('14') }, { progress: nothingYet, held });
    const requested: string[][] = [];
    const counting: IdentityStore = {
      ...store,
      idsHeld: async (some) => (requested.push(some.map(({ id }) => id)), await store.idsHeld(some.slice(0, 1))),
    };
    const drafts = [...merges(), draft(3n, { event: '$merge_dangerously' }, '{"alias":"more"}')];
    await expect(applyIdentity(batch(drafts), counting, new Map())).rejects.toThrow(BatchTooLargeError);
    expect(requested).toEqual([
      ['12', '13', '14'],
      ['13', '14'],
    ]);
  });

  test('of one that cannot be divided, those beyond are left out, with a warning', async () => {
    const drafts = merges();
    const { store, received } = storeOf(three, { progress: nothingYet, held });
    await applyIdentity(batch(drafts, { isDivisible: false }), store, new Map());
    expect(received.plans.map(({ persons: { merged } }) => merged.map((one) => one.stored.id))).toEqual([['12']]);
    expect(drafts.map(({ warnings }) => warnings.map(({ type }) => type))).toEqual([[], ['merge_move_limit_exceeded']]);
  });
});

describe('distinct ids that merges move are charged to their project', () => {
  async function chargedFor(ids: number, response: () => MappingState[] | null = () => []) {
    const charged: [string, number][] = [];
    const leaving: Leaving = {
      ...nobodyLeaves,
      chargeExtra: (_draft, personId, bytes) => void charged.push([personId, bytes]),
    };
    const { store } = storeOf(two, { progress: nothingYet, held: { 12: ids }, response });
    await applyIdentity(batch([identify(1n)], { leaving }), store, new Map());
    return charged;
  }

  test('each as what is written for it', async () => {
    expect([await chargedFor(1), await chargedFor(50_000)]).toEqual([[['12', 640]], [['12', 32_000_000]]]);
  });

  test('those of a person with too many, by the cost of counting them', async () => {
    expect(await chargedFor(50_001)).toEqual([['12', 1_000_020]]);
  });
});

test('properties are not read for persons that only anonymous events name', async () => {
  const { store, received } = storeOf(two, { progress: nothingYet });
  const anonymous = (offset: bigint, distinctId: string): EventDraft =>
    draft(offset, { distinctId }, '{"$process_person_profile":false}');
  await applyIdentity(
    batch([anonymous(1n, 'user-1'), anonymous(2n, 'anon'), draft(3n, { distinctId: 'anon' })]),
    store,
    new Map(),
  );
  expect(received.bare).toEqual([['7:user-1']]);
});

test('an event whose offset is written changes nothing a second time, of persons or groups; the ones behind it do', async () => {
  const { store, received } = storeOf(two, { progress: () => ({ last: 5n, removed: [] }) });
  const drafts = [
    draft(4n, {}, '{"$set":{"a":4}}'),
    describing(5n, { b: 5 }),
    draft(5n, {}, '{"$set":{"a":5}}'),
    draft(6n, {}, '{"$set":{"c":6}}'),
    describing(6n, { d: 6 }),
  ];
  const { ofEvents } = await applyIdentity(batch(drafts), store, new Map());
  expect(received.plans).toMatchObject([{ position: { last: 6n, was: 5n } }]);
  expect(received.plans[0]?.persons.changed.map(({ next }) => next.properties.values)).toEqual([{ of: '11', c: 6 }]);
  expect(received.plans[0]?.groups.map(({ properties, version }) => [properties.values, version])).toEqual([
    [{ d: 6 }, 3],
  ]);
  // The other events have the data of their person in their rows.
  expect(ofEvents[2]?.properties.values).toEqual({ of: '11', a: 5 });
});

test("a duplicate's group description is ignored; in a repeated batch its group is written to ClickHouse as it is", async () => {
  const [kept, dropped] = [draft(1n), describing(1n, { b: 5 })];
  const plain = storeOf(two, { progress: nothingYet });
  expect(
    (
      await applyIdentity(
        batch([kept], { all: [kept, dropped], descriptions: described([dropped]) }),
        plain.store,
        new Map(),
      )
    ).states.groups,
  ).toEqual([]);
  const again = storeOf(two, { progress: nothingYet });
  expect(
    (
      await applyIdentity(
        batch([kept], { all: [kept, dropped], descriptions: described([dropped]), again: true }),
        again.store,
        new Map(),
      )
    ).states.groups,
  ).toEqual([acme]);
});

test('a repeated batch writes all persons of its events to ClickHouse, stored before or not, and those that it removed', async () => {
  const [kept, dropped] = [draft(1n), draft(1n, { distinctId: 'anon' })];
  const removed = [{ teamId: 7, uuid: stored('13').uuid, version: 103 }];
  const { store, received } = storeOf(two, { progress: () => ({ last: 1n, removed }) });
  const { states } = await applyIdentity(batch([kept], { all: [kept, dropped], again: true }), store, new Map());
  expect(received.plans).toEqual([]);
  expect(states.persons.map(({ uuid }) => uuid)).toEqual([two['user-1'].uuid, two.anon.uuid]);
  expect(states.mappings.map(({ distinctId }) => distinctId)).toEqual(['user-1', 'anon']);
  expect(states.removed).toEqual(removed);
});

test('it writes the distinct ids that it names and those that its write moved, not all of their persons: these may be millions', async () => {
  const moved = [{ teamId: 7, distinctId: 'moved', personId: stored('11').uuid, version: 1 }];
  const { store } = storeOf({ ...two, other: stored('13') }, { progress: () => ({ last: 2n, removed: [] }), moved });
  const { states } = await applyIdentity(
    batch([identify(1n), draft(2n, { distinctId: 'other' })], { again: true }),
    store,
    new Map(),
  );
  expect(states.mappings.map(({ distinctId }) => distinctId)).toEqual(['user-1', 'anon', 'other', 'moved']);
});

test('nothing left to write, because a second consumer has just written the same: the persons that it removed are written too', async () => {
  const removed = [{ teamId: 7, uuid: stored('12').uuid, version: 103 }];
  const responses: StreamProgress[] = [{ last: null, removed: [] }];
  const { store } = storeOf(
    { 'user-1': stored('11') },
    { progress: () => responses.shift() ?? { last: 1n, removed }, response: () => null },
  );
  const { states } = await applyIdentity(batch([draft(1n)], { again: true }), store, new Map());
  expect(states.removed).toEqual(removed);
});

test('a batch that is done again is written as applied although it changes nothing, and keeps whom its first part removed', async () => {
  const removed = [{ teamId: 7, uuid: stored('13').uuid, version: 103 }];
  const { store, received } = storeOf(two, { progress: () => ({ last: 1n, removed }) });
  const progress: KnownProgress = new Map();
  const { states } = await applyIdentity(batch([draft(1n), draft(2n)], { again: true }), store, progress);
  expect(received.plans.map(({ position }) => position)).toEqual([
    { stream: 's', last: 2n, was: 1n, removedBefore: removed, keepsMoved: true },
  ]);
  expect([states.removed, progress.get('s')]).toEqual([removed, { last: 2n, removed }]);
});

test('the progress of a stream is read once, and again after another writer or for a repeated batch', async () => {
  const progress: KnownProgress = new Map();
  let conflicts = 0;
  const { store, received } = storeOf(two, { progress: nothingYet, response: () => (conflicts-- > 0 ? null : []) });
  const next = (offset: bigint, more = {}) =>
    applyIdentity(batch([draft(offset, {}, `{"$set":{"n":${offset}}}`)], more), store, progress);
  await next(1n);
  await next(2n);
  expect([received.progress, received.plans.map(({ position }) => position.was)]).toEqual([1, [null, 1n]]);
  conflicts = 1;
  await next(3n);
  expect(received.progress).toBe(2);
  await next(4n, { again: true });
  expect(received.progress).toBe(3);
});

test('persons may take so much memory; twice as much when the batch may have had effects, anything when it cannot be divided', async () => {
  const { store, received } = storeOf(two, { progress: nothingYet });
  for (const more of [{}, { again: true }, { isDivisible: false }])
    await applyIdentity(batch([draft(1n)], more), store, new Map());
  expect(received.rooms).toEqual([64_000_000, 128_000_000, Infinity]);
});

/** The leaving of a batch whose project has used up its share, before it or within it. */
function usingUp({ before, bytes = 0 }: { before: boolean; bytes?: number }): Leaving {
  const shares = createProjectShares({ perSecond: 1, burst: 10_000 });
  if (before) shares.charge(testProject.id, 20_000, draft(1n).position.record.appendedAtMs);
  const leaving = createLeaving({
    shares,
    arePartsMany: false,
    known: null,
    record: () => Promise.resolve(),
    append: () => Promise.resolve(true),
  });
  return { ...leaving, charge: (one) => leaving.charge(one, bytes) };
}

test('a project beyond its share: its large persons and groups are neither read nor written again, in a divided batch either', async () => {
  for (const again of [false, true]) {
    const { store, received } = storeOf(two, { progress: nothingYet });
    const queried: number[] = [];
    const findGroups: IdentityStore['findGroups'] = (keys, room) => (
      queried.push(keys.length),
      store.findGroups(keys, room)
    );
    const drafts = [draft(1n), describing(2n, { a: 1 }), draft(3n, { distinctId: 'anon' })];
    const { left, states } = await applyIdentity(
      batch(drafts, { again, leaving: usingUp({ before: true }) }),
      { ...store, findGroups },
      new Map(),
    );
    expect([left.length, received.keys, queried]).toEqual([3, [[]], [0]]);
    expect(states).toEqual({ persons: [], removed: [], mappings: [], groups: [] });
  }
});

test('a repeated batch writes no persons whose events left it', async () => {
  const { store } = storeOf(two, { progress: nothingYet });
  const leaving = usingUp({ before: false, bytes: 100_000 });
  const { staying, states } = await applyIdentity(
    batch([draft(1n), draft(2n, { distinctId: 'anon' })], { again: true, leaving }),
    store,
    new Map(),
  );
  expect(staying.map(({ head }) => head.distinctId)).toEqual(['user-1']);
  expect(states.persons.map(({ uuid }) => uuid)).toEqual([two['user-1'].uuid]);
});
