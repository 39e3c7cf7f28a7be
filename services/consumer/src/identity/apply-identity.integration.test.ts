import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { keyText } from '../persons/person.ts';
import type { PersonOfEvent } from '../persons/person-of-event.ts';
import { processEvent, readEntry } from '../steps/process-event.ts';
import { lookupOf, entryRange, testEntry, testProject } from '../test/drafts.ts';
import { endings, eventOf, stateText, type IdentityModel, type ModelPerson } from '../test/identity-model.ts';
import { stage, type Staged } from '../test/identity-run.ts';
import { applyIdentity, type IdentityStates } from './apply-identity.ts';
import { createIdentityStore, type IdentityStore } from './identity-store.ts';
import { counted } from '../database.ts';
import { createLeaving, nobodyLeaves } from '../overflow/leaving-events.ts';
import { createProjectShares } from '../overflow/project-shares.ts';

const seed = Date.now() % 2 ** 31;
const now = '2026-05-04T12:00:00.000000Z';

let database: TestDatabase;
let pool: Pool;
let conflicts = 0;
let store: IdentityStore;

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'consumer',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
  });
  pool = createPool(database.url, { applicationName: 'test', max: 10, onError: () => undefined });
  store = createIdentityStore(counted(pool, { inc: () => undefined }), () => conflicts++);
}, 60_000);

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The events of one id, as the batches of the partition that has them. */
function draftsOf({ story, uuids, distinctId }: Staged, letter: string): EventDraft[] {
  return story.flatMap((reported, index) => {
    if (reported.id !== letter) return [];
    const { properties, ...head } = eventOf(reported, uuids[index] as string, distinctId);
    const { draft } = processEvent(
      readEntry(entryRange(testEntry(head, properties), BigInt(index))),
      lookupOf(testProject),
    );
    return draft === null ? [] : [draft];
  });
}

/** Lets nobody write before everybody has read. */
function meetingOnce(parties: number): IdentityStore {
  let looked = 0;
  let open = (): void => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return {
    ...store,
    async findPersons(keys, sizeMax, bare) {
      const known = await store.findPersons(keys, sizeMax, bare);
      if (++looked >= parties) open();
      await all;
      return known;
    },
  };
}

/** State of ClickHouse after all of these rows: of each the highest version. */
class Replica {
  readonly persons = new Map<string, { version: number; person: ModelPerson | null }>();
  readonly mappings = new Map<string, { version: number; personId: string }>();

  receive({ persons, removed, mappings }: IdentityStates): void {
    for (const { uuid, properties, isIdentified, createdAt, version } of persons) {
      const person = { uuid, properties: { ...properties.values }, isIdentified, createdAt };
      if ((this.persons.get(uuid)?.version ?? -1) <= version) this.persons.set(uuid, { version, person });
    }
    for (const { uuid, version } of removed)
      if ((this.persons.get(uuid)?.version ?? -1) <= version) this.persons.set(uuid, { version, person: null });
    for (const { distinctId, personId, version } of mappings) {
      if ((this.mappings.get(distinctId)?.version ?? -1) <= version)
        this.mappings.set(distinctId, { version, personId });
    }
  }

  byId(): Map<string, ModelPerson> {
    const known = [...this.mappings].flatMap(([id, { personId }]) => {
      const person = this.persons.get(personId)?.person ?? null;
      return person === null ? [] : [[id, person] as const];
    });
    return new Map(known);
  }
}

/** State for the message of a failing test. */
function shown({ story }: Staged): string {
  return JSON.stringify(story);
}

interface Outcome {
  replica: Replica;
  rows: Map<string, { distinctId: string; row: PersonOfEvent }>;
}

type Apply = (drafts: EventDraft[], stream: string) => Promise<{ ofEvents: PersonOfEvent[]; states: IdentityStates }>;

async function report(staged: Staged, apply: Apply): Promise<Outcome> {
  const outcome: Outcome = { replica: new Replica(), rows: new Map() };
  const chains = ['a', 'b', 'c', 'd'].map((letter) => draftsOf(staged, letter)).filter(({ length }) => length > 0);
  await Promise.all(
    chains.map(async (drafts) => {
      const { ofEvents, states } = await apply(drafts, `test:${randomUUID()}`);
      outcome.replica.receive(states);
      drafts.forEach(({ head }, index) =>
        outcome.rows.set(head.uuid, { distinctId: head.distinctId, row: ofEvents[index] as PersonOfEvent }),
      );
    }),
  );
  return outcome;
}

const plainBatch = (drafts: EventDraft[], stream: string) => ({
  drafts,
  all: drafts,
  descriptions: [],
  stream,
  last: drafts.at(-1)?.position.offset ?? 0n,
  now,
  again: false,
  isDivisible: false,
  writeBytesMax: Infinity,
  leaving: nobodyLeaves,
});

async function postgresState({ distinctId }: Staged): Promise<Map<string, ModelPerson>> {
  const { rows } = await pool.query<{ id: string } & ModelPerson>(
    `SELECT m.distinct_id AS id, p.uuid::text, p.properties, p.is_identified AS "isIdentified",
       to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "createdAt"
     FROM person_distinct_ids m JOIN persons p ON p.id = m.person_id WHERE m.distinct_id = ANY($1)`,
    [['a', 'b', 'c', 'd'].map(distinctId)],
  );
  return new Map(rows.map(({ id, ...person }) => [id, person]));
}

async function expectPossibleEnding(staged: Staged, { replica, rows }: Outcome): Promise<void> {
  const truth = stateText({ persons: await postgresState(staged) });
  const possible = endings(staged.story, staged.uuids, testProject.id, staged.distinctId);
  const model = possible.find((ending) => stateText(ending) === truth) as IdentityModel;
  expect([shown(staged), possible.map(stateText)]).toEqual([shown(staged), expect.arrayContaining([truth])]);
  expect([shown(staged), stateText({ persons: replica.byId() })]).toEqual([shown(staged), truth]);
  const living = [...replica.persons.values()].flatMap(({ person }) => (person === null ? [] : [person.uuid]));
  expect([shown(staged), new Set(living)]).toEqual([
    shown(staged),
    new Set([...model.persons.values()].map(({ uuid }) => uuid)),
  ]);
  for (const { distinctId, row } of rows.values()) {
    const override = replica.mappings.get(distinctId);
    const personId = override !== undefined && override.version > 0 ? override.personId : row.personId;
    expect([shown(staged), distinctId, personId]).toEqual([shown(staged), distinctId, model.personIdOf(distinctId)]);
  }
}

describe(`batches of several consumers at the same persons, seed ${seed}`, () => {
  test('all look before any of them writes: they end as if they had come one after the other', async () => {
    conflicts = 0;
    for (const staged of stage(50, 6, seed)) {
      const parties = new Set(staged.story.map(({ id }) => id)).size;
      const meeting = meetingOnce(parties);
      await expectPossibleEnding(
        staged,
        await report(staged, (drafts, stream) => applyIdentity(plainBatch(drafts, stream), meeting, new Map())),
      );
    }
    expect(conflicts).toBeGreaterThan(15);
  }, 60_000);

  test('a batch that is repeated after a crash changes nothing, and writes everything to ClickHouse again', async () => {
    for (const staged of stage(50, 6, seed + 1)) {
      await expectPossibleEnding(
        staged,
        await report(staged, async (drafts, stream) => {
          // Its result was lost with the process.
          await applyIdentity(plainBatch(drafts, stream), store, new Map());
          return await applyIdentity({ ...plainBatch(drafts, stream), again: true }, store, new Map());
        }),
      );
    }
  }, 60_000);

  test('a batch that two consumers have at once, one of them a zombie, is applied once', async () => {
    for (const staged of stage(30, 6, seed + 2)) {
      await expectPossibleEnding(
        staged,
        await report(staged, async (drafts, stream) => {
          const meeting = meetingOnce(2);
          const [first] = await Promise.all(
            [1, 2].map(() => applyIdentity({ ...plainBatch(drafts, stream), again: true }, meeting, new Map())),
          );
          return first as Awaited<ReturnType<typeof applyIdentity>>;
        }),
      );
    }
  }, 60_000);
});

test('a zombie that looked before the rightful consumer wrote changes nothing behind it, although that had nothing to change', async () => {
  const id = `zombie-${randomUUID()}`;
  const ofText = (text: string, offset: bigint) =>
    processEvent(readEntry(entryRange(testEntry({ distinctId: id }, text), offset)), lookupOf(testProject))
      .draft as EventDraft;
  const stream = `test:${randomUUID()}`;
  await applyIdentity(plainBatch([ofText('{"$set":{"plan":"free"}}', 0n)], 'test:first'), store, new Map());
  // Both have the same batch, which sets what is set already. The zombie stops after it has read how far the stream is
  // written.
  const batch = { ...plainBatch([ofText('{"$set":{"plan":"free"}}', 1n)], stream), again: true };
  const reached = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const zombieStore: IdentityStore = {
    ...store,
    findPersons: async (...of) => (reached.resolve(), await stopped.promise, await store.findPersons(...of)),
  };
  const zombie = applyIdentity(batch, zombieStore, new Map());
  await reached.promise;
  await applyIdentity(batch, store, new Map());
  await applyIdentity(plainBatch([ofText('{"$set":{"plan":"pro"}}', 2n)], 'test:other'), store, new Map());
  stopped.resolve();
  await zombie;
  const known = [...(await store.findPersons([{ teamId: testProject.id, distinctId: id }], Infinity)).values()].map(
    ({ mapping }) => mapping?.person.properties.values,
  );
  expect(known).toMatchObject([{ plan: 'pro' }]);
});

test('a person with too many distinct ids for one statement is not merged away, and the project gets a warning', async () => {
  const { rows } = await pool.query<{ id: string }>(
    "INSERT INTO persons (team_id, uuid, created_at) VALUES ($1, gen_random_uuid(), '2026-05-04T09:00:00Z') RETURNING id",
    [testProject.id],
  );
  await pool.query(
    "INSERT INTO person_distinct_ids (team_id, distinct_id, person_id) SELECT $1, 'heavy-' || n, $2 FROM generate_series(0, 50000) AS n",
    [testProject.id, rows[0]?.id],
  );
  const { draft: swallowing } = processEvent(
    readEntry(
      entryRange(testEntry({ event: '$identify', distinctId: 'heavy-user' }, '{"$anon_distinct_id":"heavy-1"}'), 1n),
    ),
    lookupOf(testProject),
  );
  const { draft: own } = processEvent(
    readEntry(entryRange(testEntry({ distinctId: 'heavy-user' }), 0n)),
    lookupOf(testProject),
  );
  const { states } = await applyIdentity(plainBatch([own, swallowing] as EventDraft[], 'heavy'), store, new Map());
  expect(swallowing?.warnings).toMatchObject([
    {
      type: 'merge_move_limit_exceeded',
      details: { sourcePersonDistinctId: 'heavy-1', targetPersonDistinctId: 'heavy-user' },
    },
  ]);
  expect(states.mappings.map(({ distinctId }) => distinctId)).toEqual(['heavy-user']);
  // One of the 50,001 less is not too many.
  const { draft: last } = processEvent(
    readEntry(entryRange(testEntry({ distinctId: 'heavy-1' }, '{"$set":{"plan":"pro"}}'), 2n)),
    lookupOf(testProject),
  );
  await applyIdentity(plainBatch([last] as EventDraft[], 'heavy'), store, new Map());
  const known = [
    ...(await store.findPersons([{ teamId: testProject.id, distinctId: 'heavy-1' }], Infinity)).values(),
  ].flatMap(({ mapping }) => (mapping === null ? [] : [mapping.person]));
  expect(known).toMatchObject([{ properties: { values: { plan: 'pro' } }, createdAt: '2026-05-04T09:00:00.000000Z' }]);
  expect([...(await store.idsHeld(known)).values()]).toEqual([50_001]);
  await pool.query("DELETE FROM person_distinct_ids WHERE team_id = $1 AND distinct_id = 'heavy-0'", [testProject.id]);
  expect([...(await store.idsHeld(known)).values()]).toEqual([50_000]);
}, 30_000);

describe('merges of persons with many distinct ids', () => {
  const ids = 45_000;
  const neighbour = { ...testProject, id: 8 };
  async function makePersons(names: readonly string[], idsOfEach: number): Promise<void> {
    for (const name of names) {
      await pool.query(
        `WITH person AS (INSERT INTO persons (team_id, uuid, created_at) VALUES ($1, gen_random_uuid(), '2026-05-04T09:00:00Z') RETURNING id)
         INSERT INTO person_distinct_ids (team_id, distinct_id, person_id) SELECT $1, $2 || '-' || n, person.id FROM person, generate_series(0, $3::int - 1) AS n`,
        [testProject.id, name, idsOfEach],
      );
    }
  }
  const merging = (into: string, from: string, offset: bigint): EventDraft =>
    processEvent(
      readEntry(
        entryRange(
          testEntry({ event: '$merge_dangerously', distinctId: `${into}-0` }, `{"alias":"${from}-0"}`),
          offset,
        ),
      ),
      lookupOf(testProject),
    ).draft as EventDraft;

  test("do not hold up a partition: after two of them the project's events leave, and those of its neighbours stay", async () => {
    await makePersons(['storm-0'], ids);
    await makePersons(
      Array.from({ length: 9 }, (_, at) => `storm-${at + 1}`),
      1,
    );
    const shares = createProjectShares({ perSecond: 8_000_000, burst: 32_000_000 });
    const ofNeighbour = (offset: bigint): EventDraft =>
      processEvent(
        readEntry(entryRange(testEntry({ distinctId: 'calm', projectId: neighbour.id }), offset)),
        lookupOf(neighbour),
      ).draft as EventDraft;
    const moved: number[] = [];
    for (let at = 1; at <= 9; at++) {
      const leaving = createLeaving({
        shares,
        arePartsMany: false,
        known: null,
        record: () => Promise.resolve(),
        append: () => Promise.resolve(true),
      });
      // One tiny event makes Postgres move all of them again.
      const drafts = [merging(`storm-${at}`, `storm-${at - 1}`, BigInt(2 * at)), ofNeighbour(BigInt(2 * at + 1))];
      const { staying, left, states } = await applyIdentity(
        { ...plainBatch(drafts, 'storm'), leaving },
        store,
        new Map(),
      );
      expect([staying.at(-1), staying.length + left.length]).toEqual([drafts[1], 2]);
      moved.push(states.mappings.filter(({ teamId }) => teamId === testProject.id).length);
    }
    expect(moved).toEqual([ids, ids + 1, 0, 0, 0, 0, 0, 0, 0]);
  }, 60_000);

  test('repeated, they write only the moved ids to ClickHouse, not all ids of the remaining person', async () => {
    await makePersons(['giant'], ids);
    await makePersons(['small-1', 'small-2', 'small-3'], 3);
    const [first, second, third] = [
      merging('giant', 'small-1', 11n),
      merging('giant', 'small-2', 12n),
      merging('giant', 'small-3', 13n),
    ];
    const reported = async (drafts: EventDraft[], again: boolean): Promise<string[]> => {
      const batch = { ...plainBatch(drafts, 'giant'), again };
      const { states } = await applyIdentity(batch, store, new Map());
      return [...new Set(states.mappings.map(({ distinctId }) => distinctId))].sort();
    };
    const of = (...names: string[]): string[] => names.flatMap((name) => [0, 1, 2].map((n) => `${name}-${n}`));
    expect(await reported([first], false)).toEqual(of('small-1'));
    expect(await reported([first], true)).toEqual(['giant-0', ...of('small-1')]);
    // A batch whose first part was written sends ClickHouse all of it, also when it is done a third time.
    for (const again of [true, true])
      expect(await reported([first, second], again)).toEqual(['giant-0', ...of('small-1', 'small-2')]);
    // The next starts again.
    expect(await reported([third], false)).toEqual(of('small-3'));
    expect(await reported([third], true)).toEqual(['giant-0', ...of('small-3')]);
  }, 30_000);

  test('a statement counts the ids of a few persons, however many it gets', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `count-${at}`);
    await makePersons(names, ids);
    const known = await store.findPersons(
      names.map((name) => ({ teamId: testProject.id, distinctId: `${name}-0` })),
      Infinity,
    );
    const persons = [...known.values()].flatMap(({ mapping }) => (mapping === null ? [] : [mapping.person]));
    expect([...(await store.idsHeld(persons))]).toEqual(persons.slice(0, 4).map(({ id }) => [id, ids]));
    expect([...(await store.idsHeld(persons.slice(4)))]).toEqual(persons.slice(4).map(({ id }) => [id, ids]));
  }, 30_000);
});

test('the properties of a large person are read for the events that need them, by any of its distinct ids, and for no others', async () => {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO persons (team_id, uuid, properties, properties_size, created_at) VALUES ($1, gen_random_uuid(), jsonb_build_object('a', repeat('x', 100000)), 100010, now()) RETURNING id`,
    [testProject.id],
  );
  await pool.query(
    "INSERT INTO person_distinct_ids (team_id, distinct_id, person_id) SELECT $1, 'bare-' || n, $2 FROM generate_series(0, 1) AS n",
    [testProject.id, rows[0]?.id],
  );
  const keys = ['bare-0', 'bare-1'].map((distinctId) => ({ teamId: testProject.id, distinctId }));
  const lengths = async (bare: string[]) =>
    [
      ...(
        await store.findPersons(
          keys,
          1_000_000,
          new Set(bare.map((distinctId) => keyText({ teamId: testProject.id, distinctId }))),
        )
      ).values(),
    ].map(({ mapping }) => mapping?.person.properties.textLength);
  expect([await lengths([]), await lengths(['bare-0']), await lengths(['bare-0', 'bare-1'])]).toEqual([
    [100_008, 100_008],
    [100_008, 100_008],
    [2, 2],
  ]);
  await expect(store.findPersons(keys, 1_000, new Set(keys.map(keyText)))).resolves.toBeDefined();
});
