import { describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { personUuid } from './persons/person.ts';
import type { TestEvent } from './test/harness.ts';
import { runningConsumer } from './test/running-consumer.ts';

const consumer = runningConsumer();

let sent = 0;
/** Sends events and waits until they have rows; `hidden` of them have none. */
async function report(events: TestEvent[], hidden = 0): Promise<string[]> {
  const uuids = await consumer.harness.send(events);
  sent += events.length - hidden;
  await eventually(async () => expect(await consumer.harness.counts()).toEqual({ rows: sent, uuids: sent }));
  return uuids;
}

interface Warning {
  type: string;
  severity: string;
  details: string;
}

/** Warnings to the project about an event, by its uuid. */
async function warningsOf(
  uuid: string,
): Promise<{ type: string; severity: string; details: Record<string, unknown> }[]> {
  return await eventually(async () => {
    const rows = await consumer.harness.rows<Warning>(
      `SELECT type, severity, details FROM analytics.ingestion_warnings WHERE team_id = {team:Int64} AND JSONExtractString(details, 'eventUuid') = '${uuid}'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    return rows.map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) as Record<string, unknown> }));
  });
}

const uuidOf = (distinctId: string): string => personUuid({ teamId: consumer.harness.teamId, distinctId });
const identify = (distinctId: string, anon: unknown, more: TestEvent = {}): TestEvent => ({
  event: '$identify',
  distinctId,
  properties: JSON.stringify({ $anon_distinct_id: anon }),
  ...more,
});
const alias = (distinctId: string, other: string): TestEvent => ({
  event: '$create_alias',
  distinctId,
  properties: JSON.stringify({ alias: other }),
});

/** The person of each distinct id, as Postgres has it. */
async function personsOf(...ids: string[]): Promise<Record<string, unknown>> {
  const { rows } = await consumer.harness.sql.query<{ id: string; uuid: string }>(
    'SELECT m.distinct_id AS id, p.uuid::text AS uuid FROM person_distinct_ids m JOIN persons p ON p.id = m.person_id WHERE m.distinct_id = ANY($1)',
    [ids],
  );
  return Object.fromEntries(rows.map(({ id, uuid }) => [id, uuid]));
}

async function overridesOf(...ids: string[]): Promise<unknown[]> {
  return await consumer.harness.rows(
    `SELECT distinct_id, toString(person_id) AS person_id, toString(version) AS version FROM analytics.person_overrides FINAL
     WHERE team_id = {team:Int64} AND distinct_id IN (${ids.map((id) => `'${id}'`).join(', ')}) ORDER BY distinct_id`,
  );
}

describe('merges (contract/capture 4.4)', () => {
  test('anonymous history joins without an override: the new person has the id that its rows carry', async () => {
    await report([{ distinctId: 'm1-anon', properties: '{"$process_person_profile":false}' }]);
    await report([identify('m1-user', 'm1-anon')]);
    expect(await personsOf('m1-user', 'm1-anon')).toEqual({
      'm1-user': uuidOf('m1-anon'),
      'm1-anon': uuidOf('m1-anon'),
    });
    expect(await overridesOf('m1-user', 'm1-anon')).toEqual([]);
  });

  test('two persons become one: ids, properties and creation; the swallowed one is hidden, its older events are overridden', async () => {
    await report([
      {
        distinctId: 'm2-anon',
        timestamp: '2026-05-01T10:00:00.000000Z',
        properties: '{"$set":{"plan":"free","from":"anon"}}',
      },
      { distinctId: 'm2-user', timestamp: '2026-05-02T10:00:00.000000Z', properties: '{"$set":{"plan":"pro"}}' },
    ]);
    await report([identify('m2-user', 'm2-anon', { set: { last: 1 } })]);
    expect(await personsOf('m2-user', 'm2-anon')).toEqual({
      'm2-user': uuidOf('m2-user'),
      'm2-anon': uuidOf('m2-user'),
    });
    await eventually(async () => {
      expect(await overridesOf('m2-user', 'm2-anon')).toEqual([
        { distinct_id: 'm2-anon', person_id: uuidOf('m2-user'), version: '1' },
      ]);
      const persons = await consumer.harness.rows<Record<string, unknown>>(
        `SELECT toString(id) AS id, is_deleted, toString(version) AS version, is_identified, toString(created_at) AS created_at, toString(last_seen_at) AS last_seen_at, properties_text
         FROM analytics.persons FINAL WHERE team_id = {team:Int64} AND id IN ('${uuidOf('m2-user')}', '${uuidOf('m2-anon')}') ORDER BY is_deleted`,
      );
      expect(persons).toMatchObject([
        {
          id: uuidOf('m2-user'),
          is_deleted: false,
          version: '1',
          is_identified: true,
          created_at: '2026-05-01 10:00:00.000000',
          last_seen_at: '2026-05-04 10:00:00.123456',
        },
        { id: uuidOf('m2-anon'), is_deleted: true, version: '100' },
      ]);
      expect(JSON.parse(String(persons[0]?.['properties_text']))).toMatchObject({ plan: 'pro', from: 'anon', last: 1 });
    });
  });

  test('a person who is identified already is not merged away: both stay, and a warning names them', async () => {
    await report([identify('m3-a', 'm3-anon')]);
    const [uuid] = await report([{ distinctId: 'm3-b' }]).then(() => report([identify('m3-b', 'm3-a')]));
    expect(new Set(Object.values(await personsOf('m3-a', 'm3-b'))).size).toBe(2);
    expect(await warningsOf(uuid as string)).toMatchObject([
      {
        type: 'cannot_merge_already_identified',
        severity: 'warning',
        details: {
          sourcePersonDistinctId: 'm3-a',
          targetPersonDistinctId: 'm3-b',
          distinctId: 'm3-b',
          eventUuid: uuid,
          personId: uuidOf('m3-b'),
          otherPersonId: uuidOf('m3-a'),
          pipelineStep: 'fold-persons',
        },
      },
    ]);
  });

  test('an illegal id joins no person, with a warning each time', async () => {
    const uuids = [
      ...(await report([identify('m4-user', 'UNDEFINED')])),
      ...(await report([identify('m4-user', 'UNDEFINED')])),
    ];
    for (const uuid of uuids) {
      expect(await warningsOf(uuid)).toMatchObject([
        {
          type: 'cannot_merge_with_illegal_distinct_id',
          details: { illegalDistinctId: 'UNDEFINED', otherDistinctId: 'm4-user', distinctId: 'm4-user' },
        },
      ]);
    }
    expect(await personsOf('m4-user', 'UNDEFINED')).toEqual({ 'm4-user': uuidOf('m4-user') });
  });

  test('a number is an id like its text; an alias without one is an ordinary event with a warning', async () => {
    await report([identify('m5-user', 12345678901234567890n.toString())]);
    await report([identify('m5-other', 77)]);
    expect(await personsOf('m5-other', '77')).toEqual({ 'm5-other': uuidOf('m5-other'), '77': uuidOf('m5-other') });
    const [uuid] = await report([{ event: '$create_alias', distinctId: 'm5-lost', properties: '{}' }]);
    expect(await warningsOf(uuid as string)).toMatchObject([{ type: 'missing_alias' }]);
    expect(await personsOf('m5-lost')).toEqual({ 'm5-lost': uuidOf('m5-lost') });
  });

  test('aliases in a chain within one batch end on one person, and all ids lead there', async () => {
    await report([alias('m6-a', 'm6-b'), alias('m6-c', 'm6-d')]);
    await report([
      { event: '$merge_dangerously', distinctId: 'm6-a', properties: '{"alias":"m6-c"}' },
      alias('m6-e', 'm6-a'),
    ]);
    expect(new Set(Object.values(await personsOf('m6-a', 'm6-b', 'm6-c', 'm6-d', 'm6-e')))).toEqual(
      new Set([uuidOf('m6-a')]),
    );
  });
});

describe('groups (contract/capture 4.5)', () => {
  const describeGroup = (type: string, key: unknown, set: unknown, more: TestEvent = {}): TestEvent => ({
    event: '$groupidentify',
    distinctId: 'g-user',
    properties: JSON.stringify({ $group_type: type, $group_key: key, $group_set: set }),
    ...more,
  });

  test('$groupidentify makes a group and lays its properties over those before; the earliest event is its creation', async () => {
    await report([describeGroup('company', 'acme', { name: 'Acme', size: 5 })]);
    await report([describeGroup('company', 'acme', { size: 6 }, { timestamp: '2026-01-01T00:00:00.000000Z' })]);
    await report([describeGroup('company', 'acme', { size: 6 })]);
    await eventually(async () => {
      expect(
        await consumer.harness.rows(
          "SELECT group_type_index, group_key, toString(created_at) AS created_at, toString(version) AS version, properties FROM analytics.groups FINAL WHERE team_id = {team:Int64} AND group_key = 'acme'",
        ),
      ).toEqual([
        {
          group_type_index: 0,
          group_key: 'acme',
          created_at: '2026-01-01 00:00:00.000000',
          version: '1',
          properties: { name: 'Acme', size: '6' },
        },
      ]);
    });
  });

  test('an event belongs to the groups that it names; naming one does not make it', async () => {
    const [uuid] = await report([
      { distinctId: 'g-member', properties: '{"$groups":{"company":"acme","team":42,"none":null,"empty":""}}' },
    ]);
    const rows = await consumer.harness.rows<Record<string, unknown>>(
      `SELECT $group_0, $group_1, $group_2, properties_text FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
    );
    expect(rows).toMatchObject([{ $group_0: 'acme', $group_1: '42', $group_2: '' }]);
    expect(JSON.parse(String(rows[0]?.['properties_text']))).toMatchObject({ $group_0: 'acme', $group_1: '42' });
    expect(
      await consumer.harness.rows("SELECT 1 FROM analytics.groups WHERE team_id = {team:Int64} AND group_key = '42'"),
    ).toEqual([]);
  });

  test('an anonymous event belongs to none', async () => {
    const [uuid] = await report([
      { distinctId: 'g-anon', properties: '{"$process_person_profile":false,"$groups":{"company":"acme"}}' },
    ]);
    expect(
      await consumer.harness.rows(
        `SELECT $group_0 FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
      ),
    ).toEqual([{ $group_0: '' }]);
  });

  test('a sixth type is ignored, with a warning; five concurrent ones each get their own index', async () => {
    const types = Array.from({ length: 12 }, (_, number) => `race-${number}`);
    const uuids = await report(
      types.map((type) => ({ distinctId: `g-${type}`, properties: JSON.stringify({ $groups: { [type]: 'x' } }) })),
    );
    const { rows } = await consumer.harness.sql.query<{ index: number }>(
      'SELECT index FROM group_types WHERE team_id = $1 ORDER BY index',
      [consumer.harness.teamId],
    );
    expect(rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    await eventually(async () => {
      const reported = await consumer.harness.rows<{ uuid: string }>(
        "SELECT JSONExtractString(details, 'eventUuid') AS uuid FROM analytics.ingestion_warnings WHERE team_id = {team:Int64} AND type = 'group_type_limit_exceeded'",
      );
      expect(reported.filter(({ uuid }) => uuids.includes(uuid))).toHaveLength(9);
    });
  });

  test('a value that is no object sets nothing, with a warning; too long a key costs the event', async () => {
    const [uuid] = await report([describeGroup('company', 'strange', [1])]);
    expect(await warningsOf(uuid as string)).toMatchObject([
      {
        type: 'invalid_group_set',
        details: { groupType: 'company', groupKey: 'strange', receivedType: 'array', pipelineStep: 'read-groups' },
      },
    ]);
    const [long] = await report([describeGroup('company', 'k'.repeat(401), {})], 1);
    expect(await warningsOf(long as string)).toMatchObject([
      { type: 'group_key_too_long', severity: 'error', details: { groupKeyLength: 401, maxLength: 400 } },
    ]);
  });
});

describe('special events (contract/capture 4.6)', () => {
  test('what is sent beside events is taken and counted, and a client may warn its project', async () => {
    const [, , uuid] = await report(
      [
        { event: '$$heatmap', distinctId: 's-1' },
        { event: '$snapshot', distinctId: 's-1' },
        {
          event: '$$client_ingestion_warning',
          distinctId: 's-1',
          properties: '{"$$client_ingestion_warning_message":"too many"}',
        },
        { event: 'last', distinctId: 's-1' },
      ],
      3,
    );
    expect(await warningsOf(uuid as string)).toMatchObject([
      { type: 'client_ingestion_warning', severity: 'info', details: { message: 'too many' } },
    ]);
    for (const reason of ['heatmap', 'replay']) {
      // Counted when the batch is committed, which is after its warnings are there.
      await eventually(async () =>
        expect(await figure(`millrace_consumer_dropped_total{lane="main",reason="${reason}"`)).toBe(1),
      );
    }
  });

  test('ids of language model events are text; a survey without its id gets a warning', async () => {
    const [ai, survey] = await report([
      {
        event: '$ai_generation',
        distinctId: 's-2',
        properties: '{"$ai_trace_id":12345678901234567890,"$ai_input_tokens":"many","cost":1.50}',
      },
      { event: 'survey sent', distinctId: 's-2', properties: '{}' },
    ]);
    expect(
      await consumer.harness.rows(
        `SELECT properties_text FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${ai}'`,
      ),
    ).toEqual([{ properties_text: '{"$ai_input_tokens":"many","cost":1.50,"$ai_trace_id":"12345678901234567890"}' }]);
    expect(await warningsOf(ai as string)).toMatchObject([
      { type: 'invalid_ai_token_property', details: { property: '$ai_input_tokens', valueType: 'string' } },
    ]);
    expect(await warningsOf(survey as string)).toMatchObject([{ type: 'missing_survey_id' }]);
  });
});

describe('the cost of persons in Postgres (performance: fewer than 10 statements per 1,000 events in steady state)', () => {
  test('a busy range with a fifth of its events changing persons, new ones and merges among them', async () => {
    const crowd = (round: number): TestEvent[] =>
      Array.from({ length: 8_000 }, (_, number) => {
        const distinctId = `crowd-${number % 2_000}`;
        if (number % 100 === 0) return identify(`known-${round}-${number}`, distinctId);
        return {
          distinctId,
          properties:
            number % 5 === 0 ? `{"$set":{"round":${round},"n":${number}}}` : '{"$process_person_profile":false}',
        };
      });
    await report(crowd(0));
    const before = await figure('millrace_consumer_postgres_statements_total');
    await report([...crowd(1), ...crowd(2)]);
    const statements = (await figure('millrace_consumer_postgres_statements_total')) - before;
    expect(statements).toBeGreaterThan(0);
    expect((statements / 16_000) * 1_000).toBeLessThan(10);
  }, 60_000);
});

/** The sum of all samples whose line begins so. */
async function figure(start: string): Promise<number> {
  const text = await (await fetch(`${consumer.app.operationsUrl()}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(start))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
