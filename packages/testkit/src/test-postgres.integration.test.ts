import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, createEmptyDatabase, type TestDatabase } from './test-postgres.ts';

const made: TestDatabase[] = [];
let migrations = 0;

async function sumDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({
    template: 'testkit_numbers',
    async migrate(url) {
      migrations += 1;
      await query(url, 'CREATE TABLE numbers AS SELECT generate_series(1, 3) AS n');
    },
  });
  made.push(database);
  return database;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const result = await client.query<Record<string, unknown>>(sql).finally(() => client.end());
  return result.rows;
}

afterAll(async () => {
  await Promise.all(made.map((database) => database.drop()));
});

describe('createTestDatabase', () => {
  test('migrates once for all concurrent suites, and gives each its own database', async () => {
    const [first, second, third] = await Promise.all([sumDatabase(), sumDatabase(), sumDatabase()]);
    await query(first.url, 'DELETE FROM numbers');
    expect(migrations).toBe(1);
    expect(await query(first.url, 'SELECT count(*)::int AS c FROM numbers')).toEqual([{ c: 0 }]);
    expect(await query(second.url, 'SELECT count(*)::int AS c FROM numbers')).toEqual([{ c: 3 }]);
    expect(await query(third.url, 'SELECT count(*)::int AS c FROM numbers')).toEqual([{ c: 3 }]);
  });

  test('a migration that fails is tried again by the next suite, on an empty database', async () => {
    const template = 'testkit_failing';
    const failing = createTestDatabase({
      template,
      migrate: async (url) => void (await query(url, 'CREATE TABLE half (); SELECT 1/0')),
    });
    await expect(failing).rejects.toThrow('division by zero');
    const database = await createTestDatabase({
      template,
      migrate: async (url) => void (await query(url, 'CREATE TABLE half ()')),
    });
    made.push(database);
    expect(await query(database.url, 'SELECT * FROM half')).toEqual([]);
  });

  test('drop works while a client is still connected', async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });
});
