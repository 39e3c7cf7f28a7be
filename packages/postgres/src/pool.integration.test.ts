import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProxyTo } from '@millrace/testkit/tcp-proxy.ts';
import { createEmptyDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database?.drop());

test('the loss of a connection that is in use fails its statement, and not the process', async () => {
  const { proxy, url } = await startProxyTo(database.url);
  const pool = createPool(url, { applicationName: 'test', onError: () => undefined });
  try {
    const client = await pool.connect();
    const statement = client.query('SELECT pg_sleep(60)');
    proxy.state = 'closed';
    await expect(statement).rejects.toThrow();
    client.release(true);
    proxy.state = 'open';
    expect((await pool.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
    await proxy.close();
  }
});
