import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import type { ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { query, queryAsTeam, startServer } from '../query/test-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startServer(folder.path);
  await query(engine.url, 'admin', 'CREATE DATABASE analytics');
  await query(
    engine.url,
    'admin',
    'CREATE TABLE analytics.events (team_id Int64, x String) ENGINE = MergeTree ORDER BY team_id',
  );
});
afterAll(async () => {
  await engine?.stop();
  await folder?.remove();
});

/** Sent as the largest that a tenant's query may be: as much as the whole local server has. */
const settings = { max_memory_usage: 2_000_000_000, max_threads: 4, os_threads_nice_value_query: 10 };
const hungry = [
  'SELECT length(groupArray(toString(number))) FROM numbers(1000000000)',
  'SELECT uniqExact(number, toString(number)) FROM numbers(1000000000)',
  'SELECT count() FROM (SELECT toString(number) AS a, count() FROM numbers(1000000000) GROUP BY a)',
];
const longCall = "SELECT countMatches(repeat('a', 20000), 'a.*b|a') FROM numbers(2)";
const failureOf = (sql: string, max_execution_time = 5): Promise<string> =>
  queryAsTeam(engine.url, 1, sql, { ...settings, max_execution_time }).then(() => 'none', String);

test('one query of a tenant takes half of the server’s memory at most, whatever it may take for itself', async () => {
  expect(await failureOf(hungry[0] ?? '', 60)).toMatch(/User memory limit exceeded.*maximum: 953\.67 MiB/);
}, 90_000);

test('while a flood of tenants’ queries takes what it can, memory and long calls, inserts go on', async () => {
  let isOver = false;
  async function flood(sql: string): Promise<void> {
    while (!isOver) await failureOf(sql);
  }
  const floods = Array.from({ length: 20 }, (_, index) => flood([...hungry, longCall][index % 4] ?? longCall));
  const rows = `${JSON.stringify({ team_id: 1, x: 'y'.repeat(2_000) })}\n`.repeat(5_000);
  const inserts = 20;
  for (let insert = 0; insert < inserts; insert++) {
    // Throws what the server refuses: `(total) memory limit exceeded`, when tenants have it all.
    await query(engine.url, 'writer', 'INSERT INTO analytics.events FORMAT JSONEachRow', { body: rows });
  }
  isOver = true;
  await Promise.all(floods);
  expect(await query(engine.url, 'admin', 'SELECT count() FROM analytics.events')).toBe(String(inserts * 5_000));
}, 180_000);

test('more queries of tenants at a time than their share are refused, and nobody else is', async () => {
  const requested = Array.from({ length: 110 }, () =>
    queryAsTeam(engine.url, 1, 'SELECT sleep(3)').then(
      () => 'ok',
      (error: unknown) => /\((\w+)\) \(version/.exec(String(error))?.[1],
    ),
  );
  const insert = query(
    engine.url,
    'writer',
    'INSERT INTO analytics.events SELECT 1, toString(number) FROM numbers(10)',
  );
  const outcomes = await Promise.all(requested);
  await insert;
  expect([outcomes.filter((outcome) => outcome === 'ok').length, new Set(outcomes)]).toEqual([
    100,
    new Set(['ok', 'TOO_MANY_SIMULTANEOUS_QUERIES']),
  ]);
}, 60_000);
