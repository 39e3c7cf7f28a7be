import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startClickhouse, type ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { query, serverSecrets } from '../query/test-server.ts';
import { buildUsersXml } from '../users/users-document.ts';
import { migrateClickhouse } from './migrate.ts';
import { migrationsFolder, printMigration, readMigrations } from './migration-files.ts';

const migration = '20261218100000_trace_ids';
const log = { info: () => {} };

let folder: string;
let engine: ClickhouseEngine;
const asAdmin = (sql: string): Promise<string> => query(engine.url, 'admin', sql);

/** Events of ten traces, one in ten of them of a trace. */
const rows = (month: string): string =>
  `INSERT INTO analytics.events (team_id, uuid, event, distinct_id, timestamp, properties_text, properties)
   SELECT 1, generateUUIDv4(), '$ai_span', toString(intDiv(number, 10000)), toDateTime64('${month}-01 00:00:00', 6, 'UTC'), '{}',
     CAST(if(number % 10 = 0, map('$ai_trace_id', concat('trace-', toString(intDiv(number, 10000)))), map('a', 'b')), 'Map(String, Nullable(String))')
   FROM numbers(100000)`;

// A server of its own, with the schema of before the migration and rows in both forms of parts.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-trace-ids-'));
  engine = await startClickhouse({
    dataDir: join(folder, 'data'),
    usersDocument: buildUsersXml({ secrets: serverSecrets, from: 'loopback' }),
    login: { user: 'admin', password: serverSecrets.admin },
  });
  const before = join(folder, 'before');
  cpSync(migrationsFolder, before, {
    recursive: true,
    filter: (source) => source === migrationsFolder || !source.endsWith('.sql') || !isFrom(source),
  });
  await migrateClickhouse(connection(), { log, folder: before });
  await asAdmin(rows('2026-01'));
  await asAdmin('ALTER TABLE analytics.events MODIFY SETTING min_bytes_for_wide_part = 1');
  await asAdmin(rows('2026-02'));
}, 60_000);

afterAll(async () => {
  await engine?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const connection = () => ({ url: engine.url, user: 'admin', password: serverSecrets.admin });
const isFrom = (path: string): boolean => (path.split('/').at(-1) ?? '') >= migration;

/** Mutations run in the background. */
async function mutated(): Promise<void> {
  const deadline = Date.now() + 30_000;
  while ((await asAdmin('SELECT count() FROM system.mutations WHERE NOT is_done')) !== '0') {
    if (Date.now() > deadline) throw new Error('the mutations did not end');
    await wait(50);
  }
}

const granulesRead = async (): Promise<string> =>
  /trace_ids[\s\S]*?Granules: (\d+\/\d+)/.exec(
    await asAdmin("EXPLAIN indexes = 1 SELECT count() FROM analytics.events WHERE `$ai_trace_id` = 'trace-3'"),
  )?.[1] ?? '';

describe('the migration that gives trace ids a column', () => {
  test('fills it in the background for rows that are there, with an index, in parts of both forms', async () => {
    const parts = "SELECT DISTINCT part_type FROM system.parts WHERE active AND table = 'events' ORDER BY part_type";
    expect(await asAdmin(parts)).toBe('Compact\nWide');
    // Nothing is mutated meanwhile, as in a table whose rows take hours.
    await asAdmin('SYSTEM STOP MERGES analytics.events');
    expect((await migrateClickhouse(connection(), { log })).applied).toContain(migration);
    const found =
      "SELECT count(), countIf(`$ai_trace_id` = 'trace-3'), countIf(`$ai_trace_id` IS NULL) FROM analytics.events";
    expect(await asAdmin(found)).toBe('200000\t2000\t180000');
    await asAdmin('SYSTEM START MERGES analytics.events');
    await mutated();
    expect(await asAdmin(found)).toBe('200000\t2000\t180000');
    // The column is stored: an expression of the map would be read from there.
    expect(
      await asAdmin(
        "SELECT countIf(column_bytes_on_disk > 0) > 0 FROM system.parts_columns WHERE active AND table = 'events' AND column = '$ai_trace_id' AND part_type = 'Wide'",
      ),
    ).toBe('1');
    const [read = 0, all = 0] = (await granulesRead()).split('/').map(Number);
    expect(all).toBeGreaterThan(20);
    expect(read).toBeLessThanOrEqual(6);
  });

  test('run again, it leaves what the consumer has written', async () => {
    await asAdmin(
      "INSERT INTO analytics.events (team_id, uuid, timestamp, properties, `$ai_trace_id`) SELECT 2, generateUUIDv4(), '2026-03-01', map(), 'too long for the map'",
    );
    const file = readFileSync(join(migrationsFolder, `${migration}.sql`), 'utf8');
    for (const statement of printMigration(file, null)) await asAdmin(statement);
    await mutated();
    expect(await asAdmin('SELECT `$ai_trace_id` FROM analytics.events WHERE team_id = 2')).toBe('too long for the map');
    expect(readMigrations().some(({ name }) => name === migration)).toBe(true);
  });
});
