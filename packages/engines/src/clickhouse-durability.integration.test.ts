import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { query, startCanary, temporaryFolder } from './canary-setup.ts';
import type { ClickhouseEngine } from './clickhouse.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startCanary(folder.path);
  await query(engine.url, 'admin', 'CREATE DATABASE analytics');
  await query(
    engine.url,
    'admin',
    'CREATE TABLE analytics.events (x Int64) ENGINE = MergeTree ORDER BY x SETTINGS non_replicated_deduplication_window = 1000',
  );
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

async function insert(token: string, rows: string): Promise<void> {
  const settings = { insert_deduplication_token: token };
  await query(engine.url, 'writer', 'INSERT INTO analytics.events FORMAT JSONEachRow', { settings, body: rows });
}

async function stored(): Promise<string> {
  return await query(
    engine.url,
    'admin',
    "SELECT arrayStringConcat(groupArray(toString(x)), ',') FROM (SELECT x FROM analytics.events ORDER BY x)",
  );
}

async function killAndStartAgain(signal: NodeJS.Signals): Promise<void> {
  process.kill(engine.pid, signal);
  await engine.exited;
  engine = await startCanary(folder.path);
}

describe('an insert that is repeated with its token', () => {
  test('is harmless, whatever it holds the second time; another token inserts', async () => {
    await insert('range 0-1', '{"x":1}\n{"x":2}');
    await insert('range 0-1', '{"x":1}\n{"x":2}');
    await insert('range 0-1', '{"x":1}\n{"x":2}\n{"x":3}');
    expect(await stored()).toBe('1,2');
    await insert('range 2-2', '{"x":1}');
    expect(await stored()).toBe('1,1,2');
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'is harmless after %s too, and nothing acknowledged is lost',
    async (signal) => {
      const before = await stored();
      const value = signal === 'SIGTERM' ? '7' : '8';
      await insert(signal, `{"x":${value}}`);
      await killAndStartAgain(signal);
      await insert(signal, `{"x":${value}}`);
      expect(await stored()).toBe(`${before},${value}`);
    },
  );
});

describe('kill -9 in the middle of inserts', () => {
  test('leaves each batch whole or absent, and every acknowledged one present', async () => {
    await query(engine.url, 'admin', 'TRUNCATE TABLE analytics.events');
    const batch = (n: number): string => Array.from({ length: 500 }, () => `{"x":${n}}`).join('\n');
    const acknowledged: number[] = [];
    const inserting = (async () => {
      for (let n = 0; n < 1_000; n += 1) {
        try {
          await insert(`batch ${n}`, batch(n));
        } catch {
          return; // The server is gone: that is the point.
        }
        acknowledged.push(n);
        if (n === 20) process.kill(engine.pid, 'SIGKILL');
      }
    })();
    await Promise.all([inserting, engine.exited]);
    engine = await startCanary(folder.path);
    const counts = await query(
      engine.url,
      'admin',
      'SELECT x, count() FROM analytics.events GROUP BY x ORDER BY x FORMAT JSONCompactEachRow SETTINGS output_format_json_quote_64bit_integers = 0',
    );
    const rows = counts.split('\n').map((line) => JSON.parse(line) as [number, number]);
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(rows.every(([, count]) => count === 500)).toBe(true);
    expect(rows.map(([n]) => n)).toEqual(expect.arrayContaining(acknowledged));
  });
});
