import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { type ClickhouseEngine, startClickhouse } from '@millrace/engines/clickhouse.ts';
import { migrateClickhouse } from './migrate.ts';
import { ask, serverSecrets } from '../query/test-server.ts';
import { buildUsersXml } from '../users/users-document.ts';

const rows = 4_000;
/** `max_parts_to_merge_at_once` of events. */
const partsMax = 8;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;

// A merge that needs more than a server has is tried again for ever: parts pile up, until inserts are refused.
function onServerOf(memoryBytesMax: number): void {
  beforeAll(async () => {
    folder = await temporaryFolder();
    engine = await startClickhouse({
      dataDir: folder.path,
      usersDocument: buildUsersXml({ secrets: serverSecrets, from: 'loopback' }),
      login: { user: 'admin', password: serverSecrets.admin },
      memoryBytesMax,
    });
    await migrateClickhouse(
      { url: engine.url, user: 'admin', password: serverSecrets.admin },
      { log: { info: () => {} } },
    );
  });
  afterAll(async () => {
    await engine.stop();
    await folder.remove();
  });
}

const map =
  'mapFromArrays(arrayMap(k -> toString(k), range(40)), arrayMap(k -> hex(SHA256(toString((number, k)))), range(40)))';

const partsOf = (table: string): Promise<string> =>
  ask(
    engine.url,
    'admin',
    `SELECT part_type, count(), sum(rows) FROM system.parts WHERE active AND table = '${table}' GROUP BY part_type`,
  );

describe('two parts on a small server', () => {
  onServerOf(480_000_000);

  test.each([
    {
      table: 'events',
      columns: 'team_id, uuid, timestamp, properties, person_properties',
      values: `1, generateUUIDv4(), '2026-01-01', ${map}, ${map}`,
    },
    { table: 'persons', columns: 'team_id, id, properties', values: `1, generateUUIDv4(), ${map}` },
    { table: 'groups', columns: 'team_id, group_key, properties', values: `1, toString(number), ${map}` },
  ])(
    '$table: a merge that gives every stream of the maps a file of its own fits into a small server',
    async ({ table, columns, values }) => {
      await ask(engine.url, 'admin', `SYSTEM STOP MERGES analytics.${table}`);
      for (const first of [0, rows])
        await ask(
          engine.url,
          'admin',
          `INSERT INTO analytics.${table} (${columns}) SELECT ${values} FROM numbers(${first}, ${rows})`,
        );
      expect(await partsOf(table)).toBe(`Compact\t2\t${2 * rows}`);
      await ask(engine.url, 'admin', `ALTER TABLE analytics.${table} MODIFY SETTING min_bytes_for_wide_part = 1`);
      await ask(engine.url, 'admin', `SYSTEM START MERGES analytics.${table}`);
      await ask(engine.url, 'admin', `OPTIMIZE TABLE analytics.${table} FINAL`);
      expect(await partsOf(table)).toBe(`Wide\t1\t${2 * rows}`);
    },
  );
});

describe('as many parts of events as are merged at once', () => {
  onServerOf(1_000_000_000);

  test('a file for every stream of each of them fits into half of what the local server has', async () => {
    await ask(engine.url, 'admin', 'SYSTEM STOP MERGES analytics.events');
    await ask(engine.url, 'admin', 'ALTER TABLE analytics.events MODIFY SETTING min_bytes_for_wide_part = 1');
    for (let part = 0; part < partsMax; part++) {
      await ask(
        engine.url,
        'admin',
        `INSERT INTO analytics.events (team_id, uuid, timestamp, properties, person_properties) SELECT 1, generateUUIDv4(), '2026-01-01', ${map}, ${map} FROM numbers(${part * rows}, ${rows})`,
      );
    }
    expect(await partsOf('events')).toBe(`Wide\t${partsMax}\t${partsMax * rows}`);
    expect(
      await ask(
        engine.url,
        'admin',
        "SELECT extract(create_table_query, 'max_parts_to_merge_at_once = ([0-9]+)') FROM system.tables WHERE database = 'analytics' AND name = 'events'",
      ),
    ).toBe(String(partsMax));
    await ask(engine.url, 'admin', 'SYSTEM START MERGES analytics.events');
    await ask(engine.url, 'admin', 'OPTIMIZE TABLE analytics.events FINAL');
    expect(await partsOf('events')).toBe(`Wide\t1\t${partsMax * rows}`);
  });
});
