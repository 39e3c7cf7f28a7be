import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deadLetterEntry, entryPayload, type DeadLetter } from '@millrace/captured-event/dead-letter.ts';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { openConsumerAdmin, type ConsumerAdmin } from './admin.ts';
import { createApp } from './app.ts';
import { createHarness, type Harness, type TestEvent } from './test/harness.ts';
import type { EventLookup } from './lookup/find-event.ts';

let harness: Harness;
let admin: ConsumerAdmin;
const everything = { limit: Infinity, dryRun: false };

beforeAll(async () => {
  harness = await createHarness();
  const { eventLog, clickhouse, postgres, group } = harness.config;
  admin = await openConsumerAdmin({
    eventLog,
    clickhouse: () => clickhouse,
    postgresUrl: () => postgres.url,
    group,
    onUnreadable: () => undefined,
  });
}, 60_000);
afterAll(async () => {
  await admin.close();
  await harness.close();
}, 30_000);

/** As capture writes what a restriction redirects. */
async function redirect(event: TestEvent & { uuid: string }, changes: Partial<DeadLetter> = {}): Promise<void> {
  const letter: DeadLetter = {
    reason: 'operator_redirect',
    step: 'capture',
    detail: `redirected ${harness.token}`,
    lane: 'main',
    partition: 2,
    writer: 'capture',
    offset: event.uuid,
    index: 0,
    failedAt: '2026-05-04T10:00:02.000000Z',
    ...changes,
  };
  await harness.log.append('dead-letter', [
    { partition: 2, payload: encodeBundle([deadLetterEntry(letter, entryPayload(harness.entry(event)))]) },
  ]);
}

function find(uuid: string): Promise<EventLookup> {
  return admin.findEvent(uuid, { projectId: null, secondsMax: 30, onProgress: () => undefined });
}

async function untilOutcome(uuid: string, outcome: EventLookup['outcome']): Promise<EventLookup> {
  await eventually(async () => expect((await find(uuid)).outcome).toBe(outcome));
  return find(uuid);
}

/** Runs the consumer while `work` does. */
async function consuming(work: () => Promise<void>): Promise<void> {
  const app = createApp(harness.config);
  await app.start();
  try {
    await work();
  } finally {
    await app.stop();
  }
}

describe('dead letters (contract/capture 3.5)', () => {
  const first = { uuid: randomUUID(), distinctId: 'ann', properties: '{"token":"phc_of_somebody_else","n":1.50}' };
  const second = { uuid: randomUUID(), distinctId: 'ann', timestamp: '2026-05-05T10:00:00.000001Z' };

  test('are listed newest first, found by what they are about, and shown without tokens', async () => {
    await redirect(first);
    await redirect(second, { failedAt: '2026-05-04T11:00:00.000000Z', reason: 'unexpected_fault' });
    const all = await admin.listDeadLetters({}, 10);
    expect([all.count, all.reasons, all.letters.map(({ uuid }) => uuid)]).toEqual([
      2,
      { operator_redirect: 1, unexpected_fault: 1 },
      [second.uuid, first.uuid],
    ]);
    expect((await admin.listDeadLetters({}, 1)).letters.map(({ uuid }) => uuid)).toEqual([second.uuid]);
    for (const filter of [{ reason: 'unexpected_fault' }, { sinceMs: Date.parse('2026-05-04T11:00:00Z') }])
      expect((await admin.listDeadLetters(filter, 10)).letters.map(({ uuid }) => uuid)).toEqual([second.uuid]);
    expect(
      (
        await admin.listDeadLetters({ untilMs: Date.parse('2026-05-04T11:00:00Z'), token: harness.token }, 10)
      ).letters.map(({ uuid }) => uuid),
    ).toEqual([first.uuid]);
    expect((await admin.listDeadLetters({ token: 'phc_nobody' }, 10)).count).toBe(0);

    const shown = await admin.showDeadLetter(all.letters[1]?.id ?? '');
    expect(shown).toMatchObject({
      uuid: first.uuid,
      event: 'tested',
      distinctId: 'ann',
      lane: 'main',
      partition: 2,
      events: 1,
      payload: null,
    });
    expect(shown?.entries[0]?.properties).toBe('{"token":"phc_...else","n":1.50}');
    expect(JSON.stringify([all, shown])).not.toContain(harness.token);
    for (const id of ['capture:2:999', 'nobody:0:0', '2:0', 'nonsense', ''])
      expect(await admin.showDeadLetter(id)).toBeNull();
  });

  test('a dry run counts and appends nothing', async () => {
    const expected = { matched: 2, replayed: 2, alreadyStored: 0, repeated: 0, lanes: { main: 2 } };
    expect(await admin.replayDeadLetters({}, { limit: Infinity, dryRun: true })).toEqual(expected);
    expect((await find(first.uuid)).positions).toEqual([]);
  });

  test('replayed twice before and twice after they are read, each has one row, with its uuid and its time (contract/decisions 35)', async () => {
    expect(await admin.replayDeadLetters({}, everything)).toMatchObject({ replayed: 2 });
    await admin.replayDeadLetters({}, everything);
    await consuming(async () => {
      await untilOutcome(first.uuid, 'stored');
      await untilOutcome(second.uuid, 'stored');
      expect(await admin.replayDeadLetters({}, everything)).toMatchObject({
        matched: 2,
        replayed: 0,
        alreadyStored: 2,
      });
    });
    // Another consumer, which remembers nothing.
    await consuming(async () => {
      expect(await admin.replayDeadLetters({ reason: 'operator_redirect' }, everything)).toMatchObject({
        matched: 1,
        replayed: 0,
        alreadyStored: 1,
      });
      await eventually(async () =>
        expect((await find(first.uuid)).lag.every(({ records }) => records === 0)).toBe(true),
      );
    });
    const rows = await harness.rows(
      'SELECT toString(uuid) AS uuid, toString(timestamp) AS timestamp FROM analytics.events WHERE team_id = {team:Int64} ORDER BY timestamp',
    );
    expect(rows).toEqual([
      { uuid: first.uuid, timestamp: '2026-05-04 10:00:00.123456' },
      { uuid: second.uuid, timestamp: '2026-05-05 10:00:00.000001' },
    ]);
  });

  test('what is in the lane twice is appended once, and what is no bundle as it was', async () => {
    const payload = Buffer.from('no bundle at all');
    const letter = {
      reason: 'unreadable_bundle',
      step: 'open-records',
      detail: '',
      lane: 'historical',
      partition: 1,
      writer: 'capture',
      offset: '0',
      index: null,
      failedAt: '2026-06-01T00:00:00.000000Z',
    } as const;
    for (let time = 0; time < 2; time++)
      await harness.log.append('dead-letter', [
        { partition: 1, payload: encodeBundle([deadLetterEntry(letter, payload)]) },
      ]);
    const report = await admin.replayDeadLetters({ reason: 'unreadable_bundle' }, everything);
    expect(report).toEqual({ matched: 2, replayed: 1, alreadyStored: 0, repeated: 1, lanes: { historical: 1 } });
    await consuming(() =>
      eventually(async () => expect((await admin.listDeadLetters({ reason: 'unreadable_bundle' }, 9)).count).toBe(3)),
    );
    const again = (await harness.deadLetters()).filter(({ letter: { writer } }) => writer === 'replay');
    expect(again.map((each) => [each.payload, each.letter.lane, each.letter.partition])).toEqual([
      [payload, 'historical', 1],
    ]);
  });
});

describe('what became of an event', () => {
  test('not read yet: where it lies, and how far behind the consumer is; then its row', async () => {
    const [uuid = ''] = await harness.send([{ distinctId: 'bob', event: 'asked' }, { distinctId: 'bob' }]);
    const waiting = await find(uuid);
    expect(waiting).toMatchObject({
      outcome: 'not_yet_read',
      stored: [],
      deadLetters: [],
      warnings: [],
      searched: { complete: true },
    });
    expect(waiting.positions).toMatchObject([
      {
        lane: 'main',
        writer: 'capture',
        index: 0,
        state: 'not_yet_read',
        dropReason: null,
        event: 'asked',
        distinctId: 'bob',
        projectId: harness.teamId,
      },
    ]);
    expect(waiting.lag.find(({ lane }) => lane === 'main')?.records).toBeGreaterThan(0);
    expect(JSON.stringify(waiting)).not.toContain(harness.token);
    await consuming(async () => {
      const { stored, positions } = await untilOutcome(uuid, 'stored');
      expect(stored).toMatchObject([
        {
          projectId: harness.teamId,
          uuid,
          event: 'asked',
          distinctId: 'bob',
          timestamp: '2026-05-04T10:00:00.123456Z',
          insertedAt: expect.stringMatching(/^20.*\.\d{6}Z$/),
        },
      ]);
      expect(positions).toHaveLength(1);
    });
    expect((await find(uuid)).positions).toMatchObject([{ state: 'read' }]);
  });

  test('a dead letter, with its reason', async () => {
    const event = { uuid: randomUUID() };
    await redirect(event);
    expect(await find(event.uuid)).toMatchObject({
      outcome: 'dead_letter',
      positions: [],
      deadLetters: [{ reason: 'operator_redirect', uuid: event.uuid }],
    });
  });

  test('dropped: the warning that names it', async () => {
    const [uuid = ''] = await harness.send([
      { distinctId: 'eve', event: '$identify', properties: '{"$process_person_profile":false}' },
    ]);
    await consuming(async () => {
      const { warnings, stored } = await untilOutcome(uuid, 'dropped');
      expect(stored).toEqual([]);
      expect(warnings).toMatchObject([
        { projectId: harness.teamId, type: 'invalid_event_when_process_person_profile_is_false', severity: 'error' },
      ]);
    });
  });

  test('dropped without a warning: the reason', async () => {
    const [uuid = ''] = await harness.send([{ distinctId: 'eve', event: '$$heatmap' }]);
    expect((await find(uuid)).positions).toMatchObject([{ state: 'not_yet_read', dropReason: 'heatmap' }]);
    await consuming(async () => {
      expect(await untilOutcome(uuid, 'dropped')).toMatchObject({
        positions: [{ state: 'read', dropReason: 'heatmap' }],
        warnings: [],
      });
    });
  });

  test('dropped because there is no such project; one that is stored was not, whatever became of its project since', async () => {
    const strangers = await harness.send([{ projectId: null, token: 'phc_nobody' }, { projectId: 2 ** 31 - 1 }]);
    await consuming(async () => {
      for (const uuid of strangers)
        expect(await untilOutcome(uuid, 'dropped')).toMatchObject({
          positions: [{ state: 'read', dropReason: 'unknown_project' }],
          warnings: [],
        });
      const [uuid = ''] = await harness.send([{ distinctId: 'zoe' }]);
      await untilOutcome(uuid, 'stored');
      await harness.sql.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [harness.teamId]);
      try {
        // Another admin, which does not remember the project.
        const { eventLog, clickhouse, postgres, group } = harness.config;
        const other = await openConsumerAdmin({
          eventLog,
          clickhouse: () => clickhouse,
          postgresUrl: () => postgres.url,
          group,
          onUnreadable: () => undefined,
        });
        const found = await other
          .findEvent(uuid, { projectId: null, secondsMax: 30, onProgress: () => undefined })
          .finally(() => other.close());
        expect(found).toMatchObject({ outcome: 'stored', positions: [{ state: 'read', dropReason: null }] });
      } finally {
        await harness.sql.query('UPDATE projects SET deleted_at = NULL WHERE id = $1', [harness.teamId]);
      }
    });
  });

  test('while ClickHouse does not respond: its position in the log, after 5 seconds', async () => {
    const silent = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { eventLog, clickhouse, postgres, group } = harness.config;
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const other = await openConsumerAdmin({
      eventLog,
      clickhouse: () => ({ ...clickhouse, url }),
      postgresUrl: () => postgres.url,
      group,
      onUnreadable: () => undefined,
    });
    const query = (uuid: string) =>
      other.findEvent(uuid, { projectId: null, secondsMax: 30, onProgress: () => undefined });
    const silence = expect.objectContaining({ message: `ClickHouse at ${url} gave no response within 5 s` });
    try {
      const [uuid = ''] = await harness.send([{ distinctId: 'bob' }]);
      await expect(query(uuid)).rejects.toMatchObject({
        message: expect.stringMatching(
          /cannot be told.*in the log: lane main, partition \d+, offset \d+, not yet read$/,
        ),
        cause: silence,
      });
      await expect(query(randomUUID())).rejects.toMatchObject({
        message: expect.stringMatching(/cannot be told; it was not found in the log$/),
        cause: silence,
      });
    } finally {
      await other.close();
      silent.close();
    }
  });

  test('one that is only mentioned by others is not found', async () => {
    const uuid = randomUUID();
    await harness.send([{ properties: JSON.stringify({ of: uuid }) }]);
    expect(await find(uuid)).toMatchObject({ outcome: 'not_found', positions: [], searched: { complete: true } });
  });
});
