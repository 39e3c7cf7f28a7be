import { randomUUID } from 'node:crypto';
import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { events } from '@millrace/contracts/tables/events.ts';
import { persons } from '@millrace/contracts/tables/persons.ts';
import { prepareClickhouse, randomTeamId, type TestClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { createClickhouse } from '../client.ts';
import { RowBatch } from './encode-rows.ts';
import { ClickhouseUnavailableError, RowsRefusedError } from './insert-errors.ts';
import { insertBatch, insertRows } from './insert.ts';
import { migrateClickhouse } from '../migrations/migrate.ts';
import type { RowOf } from './table-columns.ts';
import { tenantHeaders } from '../users/tenant-token.ts';

type EventRow = RowOf<typeof events>;

let clickhouse: TestClickhouse;
let writer: ClickHouseClient;
let tenant: ClickHouseClient;

beforeAll(async () => {
  clickhouse = await prepareClickhouse(async ({ url, admin }) => {
    await migrateClickhouse({ url, user: admin.username, password: admin.password }, { log: { info: () => {} } });
  });
  writer = createClickhouse({ url: clickhouse.url, user: 'writer', password: clickhouse.writer.password });
  tenant = createClickhouse({ url: clickhouse.url, user: 'tenant', password: clickhouse.tenant.password });
}, 60_000);

afterAll(async () => {
  await writer?.close();
  await tenant?.close();
});

function event(teamId: number, more: Partial<EventRow> = {}): EventRow {
  return {
    team_id: teamId,
    uuid: randomUUID(),
    event: 'e',
    distinct_id: 'd',
    timestamp: '2026-11-21T10:11:12.123456Z',
    created_at: new Date('2026-11-21T10:11:13.000Z'),
    person_id: randomUUID(),
    person_mode: 'full',
    properties_text: '{}',
    properties: new Map(),
    person_properties_text: '{}',
    person_properties: new Map(),
    person_content: 0n,
    elements_chain: '',
    $session_id: '',
    $window_id: '',
    $ai_trace_id: null,
    $group_0: '',
    $group_1: '',
    $group_2: '',
    $group_3: '',
    $group_4: '',
    historical_migration: false,
    ...more,
  };
}

async function read<T>(sql: string, client = writer, headers: Readonly<Record<string, string>> = {}): Promise<T[]> {
  const result = await client.query({
    query: sql,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    http_headers: { ...headers },
  });
  return await result.json<T>();
}

const countOf = async (teamId: number): Promise<number> =>
  Number((await read<{ n: string }>(`SELECT count() AS n FROM analytics.events WHERE team_id = ${teamId}`))[0]?.n);

describe('a batch of rows that came one by one', () => {
  function batchOf(rows: readonly EventRow[]): RowBatch<typeof events> {
    const batch = new RowBatch(events);
    rows.forEach((row) => batch.add(row));
    return batch;
  }

  test('is stored once, also when it is given again under its token', async () => {
    const team = randomTeamId();
    const rows = [event(team), event(team, { timestamp: '1971-11-21T10:11:12.123456Z' })];
    const options = { dedupeToken: randomUUID() };
    const batch = batchOf(rows);
    await insertBatch(writer, batch, options);
    await insertBatch(writer, batch, options);
    await insertBatch(writer, batchOf(rows), options);
    expect(await countOf(team)).toBe(2);
  });

  test('that ClickHouse refuses whole throws, and stays whole for the next attempt', async () => {
    const team = randomTeamId();
    const batch = batchOf([event(team)]);
    const away = createClickhouse({ url: 'http://127.0.0.1:1', user: 'writer', password: 'x' });
    const options = { dedupeToken: randomUUID() };
    await expect(insertBatch(away, batch, options)).rejects.toThrow(ClickhouseUnavailableError);
    await away.close();
    await expect(insertBatch(tenant, batch, options)).rejects.toThrow();
    await insertBatch(writer, batch, options);
    expect(await countOf(team)).toBe(1);
  });
});

describe('an insert that is repeated', () => {
  test('with the same token stores its rows once', async () => {
    const team = randomTeamId();
    const rows = [event(team), event(team)];
    const options = { dedupeToken: randomUUID() };
    expect(await insertRows(writer, events, rows, options)).toEqual({ rows: 2 });
    expect(await insertRows(writer, events, rows, options)).toEqual({ rows: 2 });
    expect(await countOf(team)).toBe(2);
  });

  test('after only some months were stored adds the others', async () => {
    const team = randomTeamId();
    const [january, february] = [
      event(team, { timestamp: '2025-01-05T00:00:00Z' }),
      event(team, { timestamp: '2025-02-05T00:00:00Z' }),
    ];
    const options = { dedupeToken: randomUUID() };
    await insertRows(writer, events, [january], options);
    await insertRows(writer, events, [january, february], options);
    expect(await countOf(team)).toBe(2);
  });

  test('works for more months than ClickHouse takes at once', async () => {
    const team = randomTeamId();
    const rows = Array.from({ length: 250 }, (_, month) =>
      event(team, { timestamp: new Date(Date.UTC(2000, month, 3)) }),
    );
    const options = { dedupeToken: randomUUID() };
    expect(await insertRows(writer, events, rows, options)).toEqual({ rows: 250 });
    await insertRows(writer, events, rows, options);
    const [stored] = await read<{ n: string; months: string }>(
      `SELECT count() AS n, uniqExact(toYYYYMM(timestamp)) AS months FROM analytics.events WHERE team_id = ${team}`,
    );
    expect(stored).toEqual({ n: '250', months: '250' });
  });

  test('when some months are refused the others are stored, and those that are not are named', async () => {
    const team = randomTeamId();
    const years = [1999, 2026, 1999, 2100, 2026];
    const rows = years.map((year) => event(team, { timestamp: new Date(Date.UTC(year, 0, 3)) }));
    let requests = 0;
    const refusing = Object.assign(Object.create(writer) as ClickHouseClient, {
      exec: (request: Parameters<ClickHouseClient['exec']>[0]) =>
        ++requests === 1
          ? Promise.reject(new ClickHouseError({ code: '117', type: 'INCORRECT_DATA', message: '' }))
          : writer.exec(request),
    });
    const failure: unknown = await insertRows(refusing, events, rows, { dedupeToken: randomUUID() }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(RowsRefusedError);
    expect(failure).toMatchObject({ refused: [0, 2] });
    expect(
      await read(
        `SELECT toYear(timestamp) AS year, count() AS n FROM analytics.events WHERE team_id = ${team} GROUP BY year ORDER BY year`,
      ),
    ).toEqual([
      { year: 2026, n: '2' },
      { year: 2100, n: '1' },
    ]);
  });

  test('when one of several requests does not get through, nothing counts as refused, and the next try stores all', async () => {
    const team = randomTeamId();
    const rows = [1999, 2026].map((year) => event(team, { timestamp: new Date(Date.UTC(year, 0, 3)) }));
    let requests = 0;
    const failing = Object.assign(Object.create(writer) as ClickHouseClient, {
      exec: (request: Parameters<ClickHouseClient['exec']>[0]) =>
        ++requests === 1 ? Promise.reject(new Error('socket hang up')) : writer.exec(request),
    });
    const options = { dedupeToken: randomUUID() };
    await expect(insertRows(failing, events, rows, options)).rejects.toThrow(ClickhouseUnavailableError);
    expect(await insertRows(failing, events, rows, options)).toEqual({ rows: 2 });
    expect(await countOf(team)).toBe(2);
  });

  test('with no rows sends no request', async () => {
    const nowhere = createClickhouse({ url: 'http://127.0.0.1:1', user: 'x', password: 'x' });
    expect(await insertRows(nowhere, events, [], { dedupeToken: 'x' })).toEqual({ rows: 0 });
    await nowhere.close();
  });
});

describe('values of clients', () => {
  test('are stored as they are, whatever they are; a lone surrogate becomes U+FFFD', async () => {
    const team = randomTeamId();
    const properties = new Map<string, string | null>([
      ['nul', 'a\0b'],
      ['lone', 'x\ud800y'],
      ['huge', '1e999'],
      ['big', String(2n ** 64n)],
      ['__proto__', 'p'],
      ['null', null],
      ['empty', ''],
      ['quote\'`"\\', '\\\n\t'],
      ...[23, 24, 25, 42, 43, 63, 64, 127, 128, 5461, 5462, 8191, 8192, 16383, 16384].map((n): [string, string] => [
        `é${n}`,
        'é'.repeat(n),
      ]),
      ...[24, 25, 127, 128, 16383, 16384].map((n): [string, string] => [`a${n}`, 'a'.repeat(n)]),
    ]);
    await insertRows(writer, events, [event(team, { event: '\ud800', properties })], { dedupeToken: randomUUID() });
    const [row] = await read<{ event: string; properties: object }>(
      `SELECT event, properties FROM analytics.events WHERE team_id = ${team}`,
    );
    expect(row?.event).toBe('�');
    expect(Object.entries(row?.properties ?? {})).toEqual(
      [...properties].map(([key, value]) => [key, value?.replace('\ud800', '�') ?? null]),
    );
  });

  test.each([
    '1900-01-01 00:00:00.000001',
    '1969-12-31 23:59:59.500000',
    '2149-06-07 00:00:00.000000',
    '2299-12-31 23:59:59.999999',
  ])('the time %s is stored exactly and found by a range', async (timestamp) => {
    const team = randomTeamId();
    await insertRows(writer, events, [event(team, { timestamp })], { dedupeToken: randomUUID() });
    const year = Number(timestamp.slice(0, 4));
    const rows = await read(
      `SELECT timestamp FROM analytics.events WHERE team_id = ${team} AND timestamp >= '${year}-01-01' AND timestamp <= '${year}-12-31 23:59:59.999999'`,
    );
    expect(rows).toEqual([{ timestamp }]);
  });

  test('whole numbers of 64 bits and ids keep every digit', async () => {
    const team = randomTeamId();
    const id = '01234567-89ab-cdef-FEDC-ba9876543210';
    const person: RowOf<typeof persons> = {
      team_id: BigInt(team),
      id,
      created_at: '2026-01-01T00:00:00Z',
      last_seen_at: '2026-01-01T00:00:00Z',
      is_identified: true,
      is_deleted: false,
      version: 2n ** 64n - 1n,
      properties_text: '{}',
      properties: new Map(),
    };
    await insertRows(writer, persons, [person], { dedupeToken: randomUUID() });
    const rows = await read(
      `SELECT id, version, is_identified, is_deleted FROM analytics.persons WHERE team_id = ${team}`,
    );
    expect(rows).toEqual([
      { id: id.toLowerCase(), version: '18446744073709551615', is_identified: true, is_deleted: false },
    ]);
  });

  test('single properties are read by a tenant through its row policy, null apart from missing text', async () => {
    const [team, other] = [randomTeamId(), randomTeamId()];
    const own = event(team, {
      properties: new Map([
        ['plan', 'pro'],
        ['gone', null],
      ]),
      person_properties: new Map([
        ['email', 'a@b.c'],
        ['age', null],
      ]),
    });
    await insertRows(writer, events, [own, event(other, { properties: new Map([['plan', 'pro']]) })], {
      dedupeToken: randomUUID(),
    });
    const sql = `SELECT properties['plan'] AS plan, properties['gone'] IS NULL AS gone, person_properties['email'] AS email, person_properties['age'] AS age,
      person_properties['none'] AS none FROM analytics.events WHERE properties['plan'] = 'pro'`;
    expect(await read(sql, tenant, tenantHeaders(clickhouse.tokenSecret, team))).toEqual([
      { plan: 'pro', gone: 1, email: 'a@b.c', age: null, none: null },
    ]);
    await expect(read(sql, tenant)).rejects.toMatchObject({ code: '395' });
  });
});

describe('rows that can never be stored', () => {
  test.each([
    ['team_id', NaN],
    ['team_id', Infinity],
    ['team_id', 1.5],
    ['team_id', 2n ** 63n],
    ['uuid', 'x'],
    ['uuid', `${'0'.repeat(35)}g`],
    ['timestamp', '2300-01-01T00:00:00Z'],
    ['timestamp', '2026-02-30T00:00:00Z'],
    ['created_at', new Date(NaN)],
    ['person_mode', 'other'],
    ['event', undefined],
    ['historical_migration', 1],
    ['properties', new Map([['a', 1]])],
  ])('%s = %p is refused by name before anything is sent', async (column, value) => {
    const team = randomTeamId();
    const rows = [event(team), event(team, { [column]: value })];
    const failure: unknown = await insertRows(writer, events, rows, { dedupeToken: randomUUID() }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(RowsRefusedError);
    expect(failure).toMatchObject({ rowIndex: 1, message: expect.stringContaining(`${column} of row 1`) });
    expect(await countOf(team)).toBe(0);
  });
});

describe('a server that cannot take rows now', () => {
  test.each([
    ['is not there', () => ({ url: 'http://127.0.0.1:1' })],
    ['does not know the password', () => ({ password: 'wrong' })],
    ['lets the user write nothing', () => ({ user: 'tenant', password: clickhouse.tenant.password })],
  ])('one that %s is worth another try', async (_, different) => {
    const given = { url: clickhouse.url, user: 'writer', password: clickhouse.writer.password, ...different() };
    const client = createClickhouse(given);
    try {
      await expect(insertRows(client, events, [event(randomTeamId())], { dedupeToken: randomUUID() })).rejects.toThrow(
        ClickhouseUnavailableError,
      );
    } finally {
      await client.close();
    }
  });

  test('so is one that we stopped waiting for', async () => {
    const options = { dedupeToken: randomUUID(), abortSignal: AbortSignal.abort() };
    await expect(insertRows(writer, events, [event(randomTeamId())], options)).rejects.toThrow(
      ClickhouseUnavailableError,
    );
  });
});
