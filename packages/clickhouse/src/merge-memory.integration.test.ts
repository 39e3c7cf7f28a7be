import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tenantTables } from '@millrace/contracts/tenant-tables.ts';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { type ClickhouseEngine, startClickhouse } from '@millrace/engines/clickhouse.ts';
import { migrateClickhouse } from './migrate.ts';
import { ask, serverSecrets } from './test-server.ts';
import { buildUsersXml } from './users-document.ts';

// A merge that needs more than a small server has is tried again for ever: parts pile up, until inserts are refused.
const serverBytesMax = 480_000_000;
const rows = 4_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startClickhouse({
    dataDir: folder.path,
    usersDocument: buildUsersXml({ secrets: serverSecrets, tenantTables, from: 'loopback' }),
    login: { user: 'admin', password: serverSecrets.admin },
    memoryBytesMax: serverBytesMax,
  });
  await migrateClickhouse({ url: engine.url, user: 'admin', password: serverSecrets.admin }, { log: { info: () => {} } });
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

const map = 'mapFromArrays(arrayMap(k -> toString(k), range(40)), arrayMap(k -> hex(SHA256(toString((number, k)))), range(40)))';

test.each([
  { table: 'events', columns: 'team_id, uuid, timestamp, properties, person_properties', values: `1, generateUUIDv4(), '2026-01-01', ${map}, ${map}` },
  { table: 'persons', columns: 'team_id, id, properties', values: `1, generateUUIDv4(), ${map}` },
  { table: 'groups', columns: 'team_id, group_key, properties', values: `1, toString(number), ${map}` },
])('$table: a merge that gives every stream of the maps a file of its own fits into a small server', async ({ table, columns, values }) => {
  const parts = async (): Promise<string> => await ask(engine.url, 'admin', `SELECT part_type, sum(rows) FROM system.parts WHERE active AND table = '${table}' GROUP BY part_type`);
  await ask(engine.url, 'admin', `SYSTEM STOP MERGES analytics.${table}`);
  for (const first of [0, rows]) await ask(engine.url, 'admin', `INSERT INTO analytics.${table} (${columns}) SELECT ${values} FROM numbers(${first}, ${rows})`);
  expect(await parts()).toBe(`Compact\t${2 * rows}`);
  await ask(engine.url, 'admin', `ALTER TABLE analytics.${table} MODIFY SETTING min_bytes_for_wide_part = 1`);
  await ask(engine.url, 'admin', `SYSTEM START MERGES analytics.${table}`);
  await ask(engine.url, 'admin', `OPTIMIZE TABLE analytics.${table} FINAL`);
  expect(await parts()).toBe(`Wide\t${2 * rows}`);
});
