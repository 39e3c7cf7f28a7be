import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { prepareClickhouse, randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { queryClickhouse } from '../clickhouse-outputs.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { testDraft, testProject } from '../test/drafts.ts';
import { createStoredEvents, type QueryClickhouse } from './stored-events.ts';

const teamId = randomTeamId();
let client: ReturnType<typeof createClickhouse>;
let query: QueryClickhouse;

beforeAll(async () => {
  const clickhouse = await prepareClickhouse(async ({ url, admin }) => {
    await migrateClickhouse(
      { url, user: admin.username, password: admin.password },
      { log: { info: () => undefined } },
    );
  });
  client = createClickhouse({
    url: clickhouse.url,
    user: clickhouse.writer.username,
    password: clickhouse.writer.password,
  });
  query = queryClickhouse(client);
}, 60_000);

afterAll(() => client.close());

const uuid = (number: number): string => `0190f3a0-0000-7000-8000-${String(number).padStart(12, '0')}`;
const draft = (number: number, head = {}): EventDraft =>
  testDraft({ uuid: uuid(number), ...head }, '{}', { ...testProject, id: teamId });

async function insert(drafts: readonly EventDraft[]): Promise<void> {
  const values = drafts.map(({ head, event }) => ({
    team_id: teamId,
    uuid: head.uuid,
    event,
    distinct_id: head.distinctId,
    timestamp: head.timestamp.slice(0, -1).replace('T', ' '),
  }));
  await client.insert({ table: 'analytics.events', values, format: 'JSONEachRow' });
}

describe('which events ClickHouse has (contract/decisions 35)', () => {
  test('those of the same project, uuid, name, distinct id and day; the time of day may differ', async () => {
    await insert([draft(1), draft(2), draft(3)]);
    const requested = [
      draft(1, { timestamp: '2026-05-04T23:59:59.999999Z' }),
      draft(2, { event: 'other' }),
      draft(2, { distinctId: 'other' }),
      testDraft({ uuid: uuid(2) }, '{}', { ...testProject, id: teamId + 1 }),
      draft(4),
      draft(3),
    ];
    const found = await createStoredEvents(query).find(requested, () => undefined);
    expect(requested.map((one) => found.has(one))).toEqual([true, false, false, false, false, true]);
    expect(
      await createStoredEvents(query).find([draft(2, { timestamp: '2026-05-05T10:00:00.000000Z' })], () => undefined),
    ).toEqual(new Set());
  });

  test.each([
    '1901-02-03T04:05:06.000000Z',
    '1969-12-31T23:59:59.999999Z',
    '2149-06-07T00:00:00.000000Z',
    '2299-12-31T23:59:59.999999Z',
  ])('on whatever day: %s', async (timestamp) => {
    const one = draft(50, { timestamp });
    await insert([one]);
    expect(await createStoredEvents(query).find([one], () => undefined)).toEqual(new Set([one]));
  });

  test('however long and strange ids and names are, and however many', async () => {
    const strange = [
      "o'neill \\ \t\n",
      '\u{1f600}'.repeat(200),
      'я'.repeat(400),
      '%00&a=b+c',
      '"',
      '[1]',
      'NULL',
      '\u0001\u007f',
    ];
    const drafts = Array.from({ length: 2_600 }, (_, index) =>
      draft(100 + index, {
        distinctId: strange[index % strange.length],
        event: strange[(index >> 3) % strange.length],
      }),
    );
    await insert(drafts.filter((_, index) => index % 3 !== 0));
    let lookups = 0;
    const found = await createStoredEvents(query).find(drafts, () => lookups++);
    expect(lookups).toBeGreaterThan(1);
    expect(drafts.filter((one, index) => found.has(one) !== (index % 3 !== 0))).toEqual([]);
  });
});
