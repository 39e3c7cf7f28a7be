import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { migratePostgres } from './migrate.ts';
import { createPool, type Pool } from './pool.ts';

let database: TestDatabase;
let pool: Pool;
let organization: string;
let user: number;

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => {} } })),
  });
  pool = createPool(database.url, { applicationName: 'listed-members', onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  organization = randomUUID();
  await pool.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'Acme']);
  user = await addUser(`Ann.${randomUUID()}@Example.COM`);
});

async function addUser(email: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO users (uuid, email, first_name, last_name) VALUES ($1, $2, $3, $4) RETURNING id',
    [randomUUID(), email, 'Ann', 'ÖZ'],
  );
  return rows[0]?.id ?? 0;
}

const join = (id = user, level = 1): [sql: string, values: unknown[]] => [
  'INSERT INTO memberships (id, organization_id, user_id, level) VALUES ($1, $2, $3, $4)',
  [randomUUID(), organization, id, level],
];

async function listed(): Promise<Record<string, unknown>[]> {
  const sql =
    'SELECT l.user_id, l.first_name, l.last_name, l.email_domain, l.joined_at = m.joined_at AS same FROM listed_members l JOIN memberships m ON m.id = l.membership_id WHERE l.organization_id = $1';
  return (await pool.query<Record<string, unknown>>(sql, [organization])).rows;
}

test('a member is listed in lower case from the moment they join until they leave', async () => {
  await pool.query(...join());
  expect(await listed()).toEqual([
    { user_id: user, first_name: 'ann', last_name: 'öz', email_domain: 'example.com', same: true },
  ]);
  await pool.query('DELETE FROM memberships WHERE organization_id = $1', [organization]);
  expect(await listed()).toEqual([]);
});

test('what a user changes, and when they joined, is changed in the list', async () => {
  await pool.query(...join());
  await pool.query("UPDATE users SET first_name = 'Bea', email = 'b@other.test' WHERE id = $1", [user]);
  await pool.query("UPDATE memberships SET joined_at = '2026-01-01' WHERE organization_id = $1", [organization]);
  expect(await listed()).toEqual([
    { user_id: user, first_name: 'bea', last_name: 'öz', email_domain: 'other.test', same: true },
  ]);
  await pool.query("UPDATE users SET email = 'x' || id || '@example.com' WHERE id = $1", [user]);
});

test.each(['is_active = false', 'is_bot = true'])(
  'who is switched off or a bot is not listed (%s), and is again later',
  async (change) => {
    await pool.query(...join());
    await pool.query(`UPDATE users SET ${change} WHERE id = $1`, [user]);
    expect(await listed()).toEqual([]);
    const other = await addUser(`${randomUUID()}@example.com`);
    await pool.query(`UPDATE users SET ${change} WHERE id = $1`, [other]);
    await pool.query(...join(other));
    expect(await listed()).toEqual([]);
    await pool.query('UPDATE users SET is_active = true, is_bot = false WHERE id = $1', [user]);
    expect(await listed()).toHaveLength(1);
  },
);

test('when one user joins and another changes their name at the same moment, neither is lost', async () => {
  for (const [first, second] of [
    [join(), ["UPDATE users SET first_name = 'Cy' WHERE id = $1", [user]]],
    [["UPDATE users SET first_name = 'Cy' WHERE id = $1", [user]], join()],
  ] as [[string, unknown[]], [string, unknown[]]][]) {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(...first);
    const later = pool.query(...second);
    const waits =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'listed-members' AND datname = current_database()";
    await eventually(async () => expect((await pool.query(waits)).rows).toHaveLength(1));
    await client.query('COMMIT');
    client.release();
    await later;
    expect(await listed()).toMatchObject([{ first_name: 'cy' }]);
    await pool.query('DELETE FROM memberships WHERE organization_id = $1', [organization]);
    await pool.query("UPDATE users SET first_name = 'Ann' WHERE id = $1", [user]);
  }
});

describe('how many are listed', () => {
  const counts = async (): Promise<number[]> => {
    const { rows } = await pool.query<{ members: number }>(
      'SELECT members FROM listed_member_counts WHERE organization_id = $1',
      [organization],
    );
    return rows.map(({ members }) => members);
  };
  const counted = async (): Promise<number> => (await counts()).reduce((sum, members) => sum + members, 0);
  const addUsers = async (many: number): Promise<number[]> =>
    await Promise.all(Array.from({ length: many }, () => addUser(`${randomUUID()}@example.com`)));

  test('is counted whatever happens: joining, leaving, a name, being switched off, a user who goes', async () => {
    const [other = 0, third = 0] = await addUsers(2);
    for (const id of [user, other, third]) await pool.query(...join(id));
    expect(await counted()).toBe(3);
    await pool.query("UPDATE users SET first_name = 'Bea' WHERE id = $1", [user]);
    expect(await counted()).toBe(3);
    await pool.query('UPDATE users SET is_active = false WHERE id = $1', [user]);
    expect(await counted()).toBe(2);
    await pool.query('UPDATE users SET is_active = true WHERE id = $1', [user]);
    await pool.query('DELETE FROM users WHERE id = $1', [other]);
    expect(await counted()).toBe(2);
    await pool.query('DELETE FROM memberships WHERE user_id = $1', [third]);
    expect([await counted(), (await listed()).length]).toEqual([1, 1]);
  });

  test('what was not committed counts for nobody else', async () => {
    await pool.query(...join());
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(...join((await addUsers(1))[0]));
    expect(await counted()).toBe(1);
    await client.query('ROLLBACK');
    client.release();
    expect(await counted()).toBe(1);
  });

  test('when many join at once none waits for another, and all are counted; the rows stay few', async () => {
    const users = await addUsers(8);
    const clients = await Promise.all(users.map(() => pool.connect()));
    // All are in the middle of joining before the first has joined.
    for (const [index, client] of clients.entries()) {
      await client.query("BEGIN; SET LOCAL lock_timeout = '1s'");
      await client.query(...join(users[index]));
    }
    await Promise.all(clients.map((client) => client.query('COMMIT')));
    for (const client of clients) client.release();
    expect(await counts()).toEqual(users.map(() => 1));
    await pool.query(...join());
    expect(await counts()).toEqual([9]);
  });

  test('an organization that goes takes its count along, also with very many members', async () => {
    await pool.query(
      "WITH made AS (INSERT INTO users (uuid, email) SELECT gen_random_uuid(), gen_random_uuid() || '@x.test' FROM generate_series(1, 3000) RETURNING id) INSERT INTO memberships (id, organization_id, user_id, level) SELECT gen_random_uuid(), $1, id, 1 FROM made",
      [organization],
    );
    expect(await counts()).toEqual([3000]);
    await pool.query('DELETE FROM organizations WHERE id = $1', [organization]);
    expect(await counts()).toEqual([]);
  });
});
