import { expect, test } from '@jest/globals';
import { leastOf } from '@millrace/runtime/testing/least-of.ts';
import { createTestDatabase } from '@millrace/testkit/test-postgres.ts';
import pg from 'pg';
import { migratePostgres } from './migrate.ts';

// Each new change removes old ones. With many young rows that must cost no more than with none: who makes many changes slows down everybody
// who changes anything.

test('looking for old changes does not read the young ones', async () => {
  const database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => {} } })),
  });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("INSERT INTO changes (topic) SELECT 'user' FROM generate_series(1, 50000)");
    await client.query(
      "INSERT INTO changes (topic, created_at) SELECT 'old', now() - interval '2 hours' FROM generate_series(1, 1500)",
    );
    await client.query('ANALYZE changes');
    const old = async () =>
      (await client.query<{ count: string }>("SELECT count(*) FROM changes WHERE topic = 'old'")).rows[0]?.count;
    const left = [];
    for (let n = 0; n < 2; n += 1) {
      await client.query('SELECT forget_old_changes()');
      left.push(await old());
    }
    expect(left).toEqual(['500', '0']);
    // 5 ms each when they are read: 1 s together.
    const tookMs = await leastOf(5, 500, async () => {
      const begunMs = performance.now();
      await client.query('DO $$ BEGIN FOR n IN 1..200 LOOP PERFORM forget_old_changes(); END LOOP; END $$');
      return performance.now() - begunMs;
    });
    expect(tookMs).toBeLessThan(500);
  } finally {
    await client.end();
    await database.drop();
  }
});
