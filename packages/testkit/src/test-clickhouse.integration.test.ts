import { describe, expect, test } from '@jest/globals';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { createClickhouseDatabase, testClickhouse } from './test-clickhouse.ts';

describe('createClickhouseDatabase', () => {
  test('gives an empty database that admin fills, and drop takes it away', async () => {
    const { admin } = testClickhouse();
    const database = await createClickhouseDatabase();
    const client = createClient({
      url: database.url,
      ...admin,
      database: database.name,
      log: { level: ClickHouseLogLevel.OFF },
    });
    await client.command({ query: 'CREATE TABLE t (x Int64) ENGINE = MergeTree ORDER BY x AS SELECT 5' });
    const rows = await client.query({ query: 'SELECT toInt32(x) AS x FROM t', format: 'JSONEachRow' });
    expect(await rows.json()).toEqual([{ x: 5 }]);
    await database.drop();
    await expect(client.query({ query: 'SELECT * FROM t' })).rejects.toThrow();
    await client.close();
  });
});
