import { describe, expect, test } from '@jest/globals';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { runningConsumer } from './test/running-consumer.ts';

const consumer = runningConsumer();

describe('the consumer: events in, rows out', () => {
  test('an event becomes a row with the very text that the client sent', async () => {
    const text =
      '{ "plan" : "pro", "n": 1.50, "big":12345678901234567890, "bad":"\\ud83d", "none":null, "deep":{"a":[1,"x"]} }';
    const [uuid] = await consumer.harness.send([{ properties: text, ip: '9.8.7.6', distinctId: 'reader' }]);
    await eventually(async () => {
      const rows = await consumer.harness.rows<Record<string, unknown>>(
        `SELECT * FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
      );
      expect(rows).toMatchObject([
        {
          event: 'tested',
          distinct_id: 'reader',
          timestamp: '2026-05-04 10:00:00.123456',
          created_at: '2026-05-04 10:00:01.000000',
          person_mode: 'full',
          properties_text: `${text.slice(0, -2)},"$ip":"9.8.7.6"}`,
          properties: {
            plan: 'pro',
            n: '1.5',
            big: '12345678901234567890',
            bad: '\ufffd',
            none: null,
            deep: '{"a":[1,"x"]}',
            $ip: '9.8.7.6',
          },
        },
      ]);
    });
  });

  test('an identified event creates its person, a later one updates it, in Postgres and in ClickHouse (contract/capture 4.3)', async () => {
    const [first] = await consumer.harness.send([
      { distinctId: 'ann', properties: '{"$set":{"plan":"free"},"$browser":"Firefox"}' },
    ]);
    await eventually(async () => expect(await personOf('ann')).toMatchObject([{ version: '0' }]));
    await consumer.harness.send([
      {
        distinctId: 'ann',
        set: { plan: 'pro' },
        setOnce: { plan: 'never', seen: 1 },
        timestamp: '2026-05-04T11:00:00.000000Z',
      },
      { distinctId: 'ann', properties: '{"$unset":["$browser"]}' },
    ]);
    await eventually(async () => {
      const [person] = await personOf('ann');
      expect(person).toMatchObject({ version: '1', created_at: '2026-05-04 10:00:00.123456', is_identified: false });
      expect(JSON.parse(String(person?.properties_text))).toEqual({
        plan: 'pro',
        seen: 1,
        $initial_browser: 'Firefox',
        $creator_event_uuid: first,
      });
    });
    const { rows } = await consumer.harness.sql.query(
      'SELECT p.version, p.properties FROM persons p JOIN person_distinct_ids d ON d.person_id = p.id WHERE d.distinct_id = $1',
      ['ann'],
    );
    expect(rows).toMatchObject([{ version: '1', properties: { plan: 'pro' } }]);
    const events = await consumer.harness.rows<{ plan: string }>(
      "SELECT person_properties['plan'] AS plan FROM analytics.events WHERE team_id = {team:Int64} AND distinct_id = 'ann' ORDER BY inserted_at, plan",
    );
    expect(events.map(({ plan }) => plan)).toEqual(['free', 'pro', 'pro']);
  });

  test('an anonymous event makes no person, and is one with it later (contract/capture 4.2)', async () => {
    await consumer.harness.send([
      { distinctId: 'bob', properties: '{"$process_person_profile":false,"$set":{"a":1}}' },
    ]);
    await eventually(async () => expect(await eventsOf('bob')).toHaveLength(1));
    expect(await eventsOf('bob')).toMatchObject([
      {
        person_mode: 'propertyless',
        person_properties_text: '{}',
        properties_text: '{"$process_person_profile":false}',
      },
    ]);
    expect(
      (
        await consumer.harness.sql.query(
          'SELECT FROM persons p JOIN person_distinct_ids d ON d.person_id = p.id WHERE d.distinct_id = $1',
          ['bob'],
        )
      ).rowCount,
    ).toBe(0);
    expect(
      (
        await consumer.harness.sql.query('SELECT is_merged FROM personless_distinct_ids WHERE distinct_id = $1', [
          'bob',
        ])
      ).rows,
    ).toEqual([{ is_merged: false }]);
    await consumer.harness.send([
      { distinctId: 'bob' },
      { distinctId: 'bob', timestamp: '2026-05-04T12:00:00.000000Z', properties: '{"$process_person_profile":false}' },
    ]);
    await eventually(async () => expect(await eventsOf('bob')).toHaveLength(3));
    const rows = await eventsOf('bob');
    expect(new Set(rows.map(({ person_id }) => person_id)).size).toBe(1);
    expect(rows.map(({ person_mode }) => person_mode).sort()).toEqual(['force_upgrade', 'full', 'propertyless']);
  });

  test('the same event sent again counts once, in a batch and later (contract/decisions 35)', async () => {
    const again = { uuid: '0190f3a0-0000-7000-8000-00000000000a', distinctId: 'carl', event: 'paid' };
    await consumer.harness.send([again, again]);
    await eventually(async () => expect(await eventsOf('carl')).toHaveLength(1));
    await consumer.harness.send([again, { distinctId: 'carl', event: 'end' }]);
    await eventually(async () =>
      expect((await eventsOf('carl')).map(({ event }) => event).sort()).toEqual(['end', 'paid']),
    );
  });

  test('the token names the project when capture could not; an unknown one goes, its neighbours stay', async () => {
    await consumer.harness.send([
      { projectId: null, distinctId: 'dora' },
      { projectId: null, distinctId: 'dora', token: 'phc_nobody', event: 'lost' },
      { distinctId: 'dora', event: 'end' },
    ]);
    await eventually(async () =>
      expect((await eventsOf('dora')).map(({ event }) => event).sort()).toEqual(['end', 'tested']),
    );
    // Counted when the batch has ended, which is after its rows can be seen.
    await eventually(async () =>
      expect(await metric('millrace_consumer_dropped_total', 'unknown_project')).toBeGreaterThan(0),
    );
  });

  test('an event that contradicts itself is dropped with a warning', async () => {
    await consumer.harness.send([
      { distinctId: 'eve', event: '$identify', properties: '{"$process_person_profile":false}' },
      { distinctId: 'eve', event: 'end' },
    ]);
    await eventually(async () => {
      expect((await eventsOf('eve')).map(({ event }) => event)).toEqual(['end']);
      expect(await warningsOf('invalid_event_when_process_person_profile_is_false')).toMatchObject([
        { source: 'consumer', severity: 'error', category: 'identity', count: '1' },
      ]);
    });
  });

  test("capture's warnings become rows of their project, each as capture counted it (contract/capture 4.7)", async () => {
    // Warnings are kept for 90 days: an old one would not be seen.
    const now = isoMicroseconds(Date.now());
    const warning = {
      type: 'missing_event_name',
      token: consumer.harness.token,
      projectId: null,
      timestamp: now,
      count: 3,
      details: { distinctId: 'x' },
    };
    const entry = { head: Buffer.from(JSON.stringify(warning)), body: Buffer.alloc(0) };
    await consumer.harness.log.append('warnings', [
      { partition: 0, payload: encodeBundle([entry, entry, { head: Buffer.from('?'), body: Buffer.alloc(0) }]) },
    ]);
    await eventually(async () => {
      const rows = await warningsOf('missing_event_name');
      const row = {
        source: 'capture',
        severity: 'error',
        category: 'event',
        count: '3',
        timestamp: now.slice(0, -1).replace('T', ' '),
      };
      expect(rows).toMatchObject([row, row]);
      expect(JSON.parse(String(rows[0]?.['details']))).toEqual({
        distinctId: 'x',
        category: 'event',
        severity: 'error',
        pipelineStep: 'capture',
      });
    });
  });

  test('a poison event goes to the dead letters alone, and can be appended again as it is (contract/capture 6.2)', async () => {
    const partition = 3;
    const bad = { head: Buffer.from('{"uuid":'), body: Buffer.from('{}') };
    const strange = consumer.harness.entry({ distinctId: 'fay', timestamp: 'yesterday' });
    const list = consumer.harness.entry({ distinctId: 'fay', properties: '[1]' });
    const good = [
      consumer.harness.entry({ distinctId: 'fay', event: 'before' }),
      consumer.harness.entry({ distinctId: 'fay', event: 'after' }),
    ];
    await consumer.harness.log.append('main', [
      { partition, payload: encodeBundle([good[0], bad, strange, list].filter((entry) => entry !== undefined)) },
      { partition, payload: Buffer.from('no bundle at all') },
      { partition, payload: encodeBundle(good.slice(1)) },
    ]);
    await eventually(async () =>
      expect((await eventsOf('fay')).map(({ event }) => event).sort()).toEqual(['after', 'before']),
    );
    const letters = (await consumer.harness.deadLetters()).filter(({ letter }) => letter.lane === 'main');
    expect(
      letters.map(({ letter: { reason, index, partition: from, writer } }) => [reason, index, from, writer]),
    ).toEqual([
      ['unreadable_bundle', null, 3, 'capture'],
      ['unreadable_head', 1, 3, 'capture'],
      ['unreadable_head', 2, 3, 'capture'],
      ['unreadable_properties', 3, 3, 'capture'],
    ]);
    await eventually(async () => expect(await metric('millrace_consumer_dead_letters_total', 'main')).toBe(4));
    expect(letters.map(({ payload }) => payload)).toEqual([
      Buffer.from('no bundle at all'),
      ...[bad, strange, list].map((entry) => encodeBundle([entry])),
    ]);
  });

  test('imports are marked as such', async () => {
    await consumer.harness.send([{ distinctId: 'gil' }], { lane: 'historical' });
    await eventually(async () => expect(await eventsOf('gil')).toMatchObject([{ historical_migration: true }]));
  });

  test('it is ready and shows its figures', async () => {
    expect((await fetch(`${consumer.app.operationsUrl()}/_readiness`)).status).toBe(200);
    expect(await metric('millrace_consumer_rows_total', 'main')).toBeGreaterThan(5);
    expect(await metric('millrace_consumer_lag_records', 'main')).toBe(0);
  });

  test('a type that a member opens again settles by the values from then on, within moments (contract/decisions 74)', async () => {
    const { harness } = consumer;
    const sendMany = (opened: string): Promise<string[]> =>
      harness.send(Array.from({ length: 25 }, () => ({ properties: JSON.stringify({ opened }) })));
    const isOfType = async (type: string): Promise<void> => {
      const { rows } = await harness.sql.query<{ property_type: string }>(
        `SELECT property_type FROM property_definitions WHERE name = 'opened' AND type = 'event'`,
      );
      expect(rows).toEqual([{ property_type: type }]);
    };
    await sendMany('2026-05-04');
    await eventually(() => isOfType('DateTime'));
    await harness.sql.query(
      `UPDATE property_definitions SET property_type = NULL, times = 0, first_value_at = NULL, reopenings = 1 WHERE name = 'opened'`,
    );
    // Texts of the same shape: without the news they would be counted together, and written a minute later.
    await eventually(async () => {
      await sendMany('2026-abcd');
      await isOfType('String');
    });
  });
});

interface EventSeen {
  event: string;
  person_id: string;
  person_mode: string;
}

function eventsOf(distinctId: string): Promise<EventSeen[]> {
  return consumer.harness.rows(
    `SELECT * FROM analytics.events WHERE team_id = {team:Int64} AND distinct_id = '${distinctId}'`,
  );
}

function warningsOf(type: string): Promise<Record<string, unknown>[]> {
  return consumer.harness.rows(
    `SELECT *, toString(count) AS count FROM analytics.ingestion_warnings WHERE team_id = {team:Int64} AND type = '${type}'`,
  );
}

function personOf(distinctId: string): Promise<Record<string, unknown>[]> {
  return consumer.harness.rows(`SELECT p.*, toString(p.version) AS version FROM analytics.persons AS p FINAL
    WHERE team_id = {team:Int64} AND id IN (SELECT person_id FROM analytics.person_distinct_ids WHERE team_id = {team:Int64} AND distinct_id = '${distinctId}')`);
}

/** The value of the first sample of this name whose labels hold `label`. */
async function metric(name: string, label: string): Promise<number> {
  const text = await (await fetch(`${consumer.app.operationsUrl()}/metrics`)).text();
  const line = text.split('\n').find((sample) => sample.startsWith(`${name}{`) && sample.includes(`"${label}"`));
  return Number(line?.split(' ').at(-1));
}
