import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { changeTopics } from '@millrace/contracts/change-topics.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import pg from 'pg';
import { createChangeListener, type ChangeListener } from './change-listener.ts';
import { migratePostgres } from './migrate.ts';
import { createPool } from './pool.ts';
import { postgresRoles } from './role-passwords.ts';
import type { Change, ChangeBatch } from './change.ts';

let database: TestDatabase;
let admin: pg.Pool;
const listeners: ChangeListener[] = [];

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => {} } })),
  });
  admin = createPool(database.url, { applicationName: 'test', onError: () => {} });
  await admin.query(`INSERT INTO organizations (id, name) VALUES ('01900000-0000-7000-8000-000000000001', 'o')`);
});
afterEach(async () => void (await Promise.all(listeners.splice(0).map((listener) => listener.stop()))));
afterAll(async () => {
  await admin?.end();
  await database?.drop();
});

/** A listener with the rights of capture, and the changes that it received. */
async function listen(name = 'listener') {
  const { rows: before } = await admin.query<Change>(
    `SELECT topic, project_id AS "projectId", keys FROM changes ORDER BY id`,
  );
  const received: ChangeBatch[] = [];
  const lost: unknown[] = [];
  const url = new URL(database.url);
  url.searchParams.set('options', `-c role=${postgresRoles.capture}`);
  const listener = createChangeListener(url.href, {
    applicationName: name,
    onChange: (changes) => void received.push(changes),
    onLost: (error) => void lost.push(error),
  });
  listeners.push(listener);
  await listener.start();
  const changes = (): Change[] => received.flatMap((changes) => (changes === 'everything' ? [] : changes));
  // Older changes may come first, newest last: a transaction that another suite holds open keeps it from being settled.
  const expectChanges = (wanted: unknown[]) =>
    eventually(
      () => {
        const received = changes();
        const earlier = received.slice(0, Math.max(0, received.length - wanted.length));
        expect(received.slice(earlier.length)).toEqual(wanted);
        expect(earlier).toEqual(before.slice(before.length - earlier.length));
      },
      { deadlineMs: 4_000 },
    );
  return { listener, received: received, lost, expectChanges: expectChanges };
}

async function addProject(token: string): Promise<number> {
  const { rows } = await admin.query<{ id: number }>(
    `INSERT INTO projects (uuid, organization_id, name, api_token) VALUES (gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'p', $1) RETURNING id`,
    [token],
  );
  return rows[0]?.id ?? 0;
}

async function disconnect(name: string): Promise<void> {
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [name]);
}

test('the topics that triggers and functions write are those that are declared', async () => {
  const { rows } = await admin.query<{ topic: string }>(`
    SELECT DISTINCT found[1] AS topic FROM pg_trigger, regexp_matches(pg_get_triggerdef(pg_trigger.oid), $$record_changes?\\('([^']*)'$$) AS found
    UNION SELECT found[1] FROM pg_proc, regexp_matches(prosrc, $$INSERT INTO changes [^;]*(?:VALUES \\(|SELECT )'([^']*)'$$) AS found`);
  expect(rows.map(({ topic }) => topic).sort()).toEqual([...changeTopics].sort());
});

describe('the change feed', () => {
  test('a new listener is notified once to load everything', async () => {
    const { received: received, listener } = await listen();
    expect(received).toEqual(['everything']);
    expect(listener.connected()).toBe(true);
  });

  test('two listeners receive each kind of change within seconds, in order', async () => {
    const [first, second] = [await listen(), await listen()];
    const id = await addProject('phc_a');
    await admin.query(`UPDATE projects SET api_token = 'phc_b' WHERE id = $1`, [id]);
    await admin.query(`INSERT INTO previous_project_tokens VALUES ('phc_a', $1, now())`, [id]);
    await admin.query(`INSERT INTO quotas VALUES ($1, 'events', 5, 'day')`, [id]);
    await admin.query(`INSERT INTO restrictions (id, project_id, action) VALUES (77, $1, 'drop_event')`, [id]);
    await admin.query(`DELETE FROM restrictions WHERE id = 77`);
    const about = (topic: string, ...keys: string[]) => ({ topic, projectId: id, keys });
    const wanted = [
      about('project', 'phc_a'),
      about('project', 'phc_a', 'phc_b'),
      about('project', 'phc_a'),
      about('quota', 'events'),
      about('restriction', '77'),
      about('restriction', '77'),
    ];
    for (const { expectChanges: expectChanges } of [first, second]) await expectChanges(wanted);
  });

  test('a revoked key is a change without its value; that it was used is none', async () => {
    await admin.query(`INSERT INTO users (id, uuid, email) VALUES (5, gen_random_uuid(), 'a@b')`);
    await admin.query(
      `INSERT INTO personal_api_keys (id, user_id, label, secure_value, mask_value) VALUES ('k1', 5, '', 'sha256$x', '')`,
    );
    const { expectChanges: expectChanges } = await listen();
    await admin.query(`UPDATE personal_api_keys SET last_used_at = now()`);
    await admin.query(`DELETE FROM personal_api_keys`);
    await expectChanges([{ topic: 'personal_api_key', projectId: null, keys: ['k1'] }]);
  });

  test('what is rolled back, and what changes nothing, is no change', async () => {
    const id = await addProject('phc_c');
    const { expectChanges: expectChanges } = await listen();
    await admin.query(`BEGIN; UPDATE projects SET name = 'other' WHERE id = ${id}; ROLLBACK`);
    await admin.query(`UPDATE projects SET name = name, updated_at = now() WHERE id = $1`, [id]);
    await admin.query(`UPDATE projects SET deleted_at = now() WHERE id = $1`, [id]);
    await expectChanges([{ topic: 'project', projectId: id, keys: ['phc_c'] }]);
  });

  test('a change whose NOTIFY was missed is found in the table', async () => {
    const { expectChanges: expectChanges } = await listen();
    await admin.query(`INSERT INTO changes (topic, project_id, keys) VALUES ('quota', 1, '{}')`);
    await expectChanges([{ topic: 'quota', projectId: 1, keys: [] }]);
  });

  test('a change that commits after a later one is received too, and neither twice', async () => {
    const { expectChanges: expectChanges } = await listen();
    const slow = new pg.Client({ connectionString: database.url });
    await slow.connect();
    await slow.query(`BEGIN; INSERT INTO changes (topic, project_id) VALUES ('quota', 1)`);
    await admin.query(`INSERT INTO changes (topic, project_id) VALUES ('quota', 2)`);
    await expectChanges([expect.objectContaining({ projectId: 2 })]);
    await slow.query('COMMIT');
    await slow.end();
    await expectChanges([expect.objectContaining({ projectId: 2 }), expect.objectContaining({ projectId: 1 })]);
    const id = await addProject('phc_d');
    await expectChanges([expect.anything(), expect.anything(), { topic: 'project', projectId: id, keys: ['phc_d'] }]);
  });

  test('a lost connection is made anew, and what happened meanwhile is received', async () => {
    const { listener, lost, expectChanges: expectChanges, received: received } = await listen('lost one');
    await disconnect('lost one');
    await admin.query(`INSERT INTO changes (topic, project_id, keys) VALUES ('quota', 3, '{}')`);
    await eventually(() => expect(lost).toHaveLength(1));
    await eventually(() => expect(listener.connected()).toBe(true));
    await expectChanges([{ topic: 'quota', projectId: 3, keys: [] }]);
    expect(received.filter((changes) => changes === 'everything')).toHaveLength(1);
  });

  test('it starts while the server is away, and logs that once', async () => {
    const lost: unknown[] = [];
    const listener = createChangeListener('postgres://a:b@127.0.0.1:1/c', {
      applicationName: 't',
      onChange: () => {},
      onLost: (error) => void lost.push(error),
    });
    await listener.start();
    expect([listener.connected(), lost.length]).toEqual([false, 1]);
    await listener.stop();
  });

  test('the table is bounded: changes older than an hour go with the next one', async () => {
    await admin.query(
      `INSERT INTO changes (topic, created_at) SELECT 'quota', now() - interval '61 minutes' FROM generate_series(1, 50)`,
    );
    await addProject('phc_e');
    const { rows } = await admin.query(`SELECT FROM changes WHERE created_at < now() - interval '1 hour'`);
    expect(rows).toEqual([]);
  });
});
