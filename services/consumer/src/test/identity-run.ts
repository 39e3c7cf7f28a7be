import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import fc from 'fast-check';
import type { Harness } from './harness.ts';
import {
  endings,
  eventOf,
  IdentityModel,
  stateText,
  stories,
  type ModelPerson,
  type ModelRow,
  type Reported,
} from './identity-model.ts';

/** A story under way: its own ids, and the uuids of its events. */
export interface Staged {
  story: Reported[];
  uuids: string[];
  distinctId: (letter: string) => string;
}

/** Random stories, each with distinct ids of its own. */
export function stage(count: number, lengthMax: number, seed: number): Staged[] {
  const run = randomUUID().slice(0, 8);
  return fc.sample(stories(lengthMax), { numRuns: count, seed }).map((story, index) => ({
    story,
    uuids: story.map(() => randomUUID()),
    distinctId: (letter) => `${run}-${index}-${letter}`,
  }));
}

/** Sends the event of this index of each story that is long enough. Returns their number. */
export async function sendStep(harness: Harness, staged: readonly Staged[], step: number): Promise<number> {
  const events = staged.flatMap(({ story, uuids, distinctId }) => {
    const reported = story[step];
    return reported === undefined ? [] : [eventOf(reported, uuids[step] as string, distinctId)];
  });
  await harness.send(events, { perBundle: 10 });
  return events.length;
}

/** Waits until this many events of these stories have rows. */
export async function stored(harness: Harness, count: number): Promise<void> {
  await eventually(async () => expect(await harness.counts()).toEqual({ rows: count, uuids: count }), {
    deadlineMs: 30_000,
    intervalMs: 20,
  });
}

/** State in Postgres, in the replica in ClickHouse and in the rows of the events. */
interface Seen {
  postgres: Map<string, ModelPerson>;
  replica: Map<string, ModelPerson>;
  events: Map<string, { distinctId: string; personId: string; mode: string; properties: unknown }>;
}

interface PersonSeen {
  distinct_id: string;
  uuid: string;
  properties: string;
  is_identified: boolean;
  created_at: string;
}

/** All of a harness' project. The person of an event is today's: its override's, or the one in its row. */
export async function readState(harness: Harness): Promise<Seen> {
  const { rows: truth } = await harness.sql.query<PersonSeen>(
    `SELECT m.distinct_id, p.uuid::text, p.properties::text, p.is_identified,
       to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at
     FROM persons p LEFT JOIN person_distinct_ids m ON m.person_id = p.id WHERE p.team_id = $1`,
    [harness.teamId],
  );
  const replica = await harness.rows<PersonSeen>(
    `SELECT m.distinct_id AS distinct_id, toString(p.id) AS uuid, p.properties_text AS properties, p.is_identified AS is_identified,
       concat(replace(toString(p.created_at), ' ', 'T'), 'Z') AS created_at
     FROM (SELECT * FROM analytics.persons FINAL WHERE team_id = {team:Int64} AND NOT is_deleted) AS p
     LEFT JOIN (SELECT * FROM analytics.person_distinct_ids FINAL WHERE team_id = {team:Int64}) AS m ON m.person_id = p.id`,
  );
  const events = await harness.rows<{
    uuid: string;
    distinct_id: string;
    person_id: string;
    mode: string;
    properties: string;
  }>(
    `SELECT toString(e.uuid) AS uuid, e.distinct_id AS distinct_id, toString(if(o.version > 0, o.person_id, e.person_id)) AS person_id,
       toString(e.person_mode) AS mode, e.person_properties_text AS properties
     FROM (SELECT * FROM analytics.events WHERE team_id = {team:Int64}) AS e
     LEFT JOIN (SELECT * FROM analytics.person_overrides FINAL WHERE team_id = {team:Int64}) AS o ON o.distinct_id = e.distinct_id`,
  );
  return {
    postgres: byId(truth),
    replica: byId(replica),
    events: new Map(
      events.map(({ uuid, distinct_id: distinctId, person_id: personId, mode, properties }) => [
        uuid,
        { distinctId, personId, mode, properties: JSON.parse(properties) as unknown },
      ]),
    ),
  };
}

function byId(rows: readonly PersonSeen[]): Map<string, ModelPerson> {
  return new Map(
    rows.map(({ distinct_id: id, uuid, properties, is_identified: isIdentified, created_at: createdAt }) => [
      // A person without a distinct id is a fault that must be seen.
      id === null || id === '' ? `nobody's ${uuid}` : id,
      { uuid, properties: JSON.parse(properties) as Record<string, unknown>, isIdentified, createdAt },
    ]),
  );
}

/** The part of what was seen that belongs to one story. */
function own(persons: ReadonlyMap<string, ModelPerson>, { distinctId }: Staged): Map<string, ModelPerson> {
  const mine = new Set(['a', 'b', 'c', 'd'].map(distinctId));
  return new Map([...persons].filter(([id]) => mine.has(id)));
}

/** The stories were reported event by event: everything is exactly as the model says, the rows of the events included. */
export function expectExact(harness: Harness, staged: readonly Staged[], seen: Seen, { rows = true } = {}): void {
  for (const one of staged) {
    const model = new IdentityModel(harness.teamId);
    const wanted = one.story.map((reported, index) =>
      model.apply(reported, one.uuids[index] as string, one.distinctId),
    );
    expectEnding(one, model, seen);
    if (rows) expectRows(one, wanted, seen);
  }
  expectNobodyElse(staged, seen);
}

function expectRows({ story, uuids }: Staged, wanted: readonly ModelRow[], { events }: Seen): void {
  const found = uuids.map((uuid) => ({ mode: events.get(uuid)?.mode, properties: events.get(uuid)?.properties }));
  expect({ story, rows: found }).toEqual({ story, rows: wanted });
}

function expectEnding(staged: Staged, model: IdentityModel, seen: Seen): void {
  const { story } = staged;
  expect({ story, state: stateText({ persons: own(seen.postgres, staged) }) }).toEqual({
    story,
    state: stateText(model),
  });
  expect({ story, replica: stateText({ persons: own(seen.replica, staged) }) }).toEqual({
    story,
    replica: stateText(model),
  });
  for (const uuid of staged.uuids) {
    const event = seen.events.get(uuid);
    expect({ story, event, personId: event?.personId }).toEqual({
      story,
      event,
      personId: model.personIdOf(event?.distinctId ?? ''),
    });
  }
}

/** The stories were reported all at once: each ended in one of the ways that the order of each id's own events allows. */
export function expectPossible(harness: Harness, staged: readonly Staged[], seen: Seen): void {
  for (const one of staged) {
    const possible = endings(one.story, one.uuids, harness.teamId, one.distinctId);
    const state = stateText({ persons: own(seen.postgres, one) });
    const model = possible.find((ending) => stateText(ending) === state);
    if (model === undefined)
      expect({ story: one.story, state }).toEqual({ story: one.story, state: possible.map(stateText) });
    else expectEnding(one, model, seen);
  }
  expectNobodyElse(staged, seen);
}

function expectNobodyElse(staged: readonly Staged[], { postgres, replica }: Seen): void {
  const theirs = new Set(staged.flatMap(({ distinctId }) => ['a', 'b', 'c', 'd'].map(distinctId)));
  for (const persons of [postgres, replica]) expect([...persons.keys()].filter((id) => !theirs.has(id))).toEqual([]);
}
