import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import type { ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { query, queryAsTeam, startServer } from '../query/test-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;
let url: string;

const bucketedMap = `map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'with_buckets',
  map_buckets_strategy = 'constant', map_buckets_min_avg_size = 0, max_buckets_in_map = 32`;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startServer(folder.path);
  url = engine.url;
  await query(url, 'admin', 'CREATE DATABASE analytics');
  await query(
    url,
    'admin',
    `CREATE TABLE analytics.events (team_id Int64, timestamp DateTime64(6, 'UTC'), properties Map(String, Nullable(String)))
    ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(timestamp) ORDER BY (team_id, timestamp)
    SETTINGS non_replicated_deduplication_window = 1000, min_bytes_for_wide_part = 134217728, ${bucketedMap}`,
  );
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

describe('a map in buckets', () => {
  // Twenty-two keys with about forty bytes each, as ordinary events have them.
  const rows = 20_000;

  beforeAll(async () => {
    await query(
      url,
      'admin',
      `INSERT INTO analytics.events SELECT 1, toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + number,
      mapFromArrays(arrayMap(k -> concat('key_', toString(k)), range(22)), arrayMap(k -> if(k = 7, NULL, hex(SHA256(toString((number, k))))), range(22)))
      FROM numbers(${rows})`,
    );
  });

  async function readBytes(expression: string): Promise<number> {
    const reply = await queryAsTeam(
      url,
      1,
      `SELECT count(), max(${expression}) FROM analytics.events FORMAT JSONCompact`,
    );
    return (JSON.parse(reply) as { statistics: { bytes_read: number } }).statistics.bytes_read;
  }

  test('reads one key for a small part of what the whole map costs, through the row policy', async () => {
    const one = await readBytes("properties['key_3']");
    const all = await readBytes('toString(properties)');
    expect(one * 5).toBeLessThan(all);
  });

  test('tells NULL and absent apart from nothing: both read as NULL, others as they are', async () => {
    const reply = await queryAsTeam(
      url,
      1,
      `SELECT countIf(properties['key_7'] IS NOT NULL), countIf(properties['none'] IS NOT NULL), countIf(properties['key_3'] IS NOT NULL)
      FROM analytics.events FORMAT JSONCompactEachRow`,
      { output_format_json_quote_64bit_integers: 0 },
    );
    expect(JSON.parse(reply)).toEqual([0, 0, rows]);
  });

  test('is the same after its parts were merged', async () => {
    const select =
      "SELECT sum(cityHash64(properties['key_3'])), sum(cityHash64(toString(mapSort(properties)))) FROM analytics.events";
    const before = await queryAsTeam(url, 1, select);
    await query(url, 'admin', 'OPTIMIZE TABLE analytics.events FINAL');
    expect(await queryAsTeam(url, 1, select)).toBe(before);
    expect((await readBytes("properties['key_3']")) * 5).toBeLessThan(await readBytes('toString(properties)'));
  });
});

describe('insert bodies', () => {
  beforeAll(async () => {
    await query(
      url,
      'admin',
      'CREATE TABLE analytics.bodies (x Int64, m Map(String, Nullable(String))) ENGINE = MergeTree ORDER BY x',
    );
  });

  test('JSONEachRow keeps unicode, control characters, NULL and an empty map', async () => {
    const values = [
      { x: 1, m: { 'ключ "1"': '☃ 😀 \u0001 \n \\', nothing: null } },
      { x: 2, m: {} },
    ];
    const body = values.map((value) => JSON.stringify(value)).join('\n');
    await query(url, 'writer', 'INSERT INTO analytics.bodies FORMAT JSONEachRow', { body });
    const reply = await query(
      url,
      'writer',
      'SELECT * FROM analytics.bodies ORDER BY x FORMAT JSONEachRow SETTINGS output_format_json_quote_64bit_integers = 0',
    );
    expect(reply.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual(values);
  });

  test('RowBinary takes the same, byte for byte', async () => {
    const text = (value: string): Buffer => Buffer.concat([Buffer.of(Buffer.byteLength(value)), Buffer.from(value)]);
    const number = Buffer.alloc(8);
    number.writeBigInt64LE(9_007_199_254_740_993n);
    const body = Buffer.concat([number, Buffer.of(2), text('a'), Buffer.of(0), text('☃\n\n'), text('b'), Buffer.of(1)]);
    await query(url, 'writer', 'INSERT INTO analytics.bodies FORMAT RowBinary', { body: new Uint8Array(body) });
    const reply = await query(
      url,
      'writer',
      'SELECT * FROM analytics.bodies WHERE x > 2 FORMAT JSONEachRow SETTINGS output_format_json_quote_64bit_integers = 1',
    );
    expect(JSON.parse(reply)).toEqual({ x: '9007199254740993', m: { a: '☃\n\n', b: null } });
  });
});

describe('a batch over many months', () => {
  test('is refused as a whole beyond 100 partitions, taken at 100', async () => {
    const insert = (months: number): Promise<string> =>
      query(
        url,
        'admin',
        `INSERT INTO analytics.events SELECT 5, addMonths(toDateTime64('2000-01-01 00:00:00', 6, 'UTC'), number), map() FROM numbers(${months})`,
      );
    await expect(insert(101)).rejects.toThrow('TOO_MANY_PARTS');
    expect(await queryAsTeam(url, 5, 'SELECT count() FROM analytics.events')).toBe('0');
    await insert(100);
    expect(await queryAsTeam(url, 5, 'SELECT count() FROM analytics.events')).toBe('100');
  });
});
