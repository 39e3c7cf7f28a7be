import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import pg from 'pg';
import { migratePostgres, schemaVersion } from './migrate.ts';
import { createPool } from './pool.ts';
import { createPrisma } from './prisma.ts';
import { postgresRoles, roleUrl, setRolePasswords, type PostgresRole } from './role-passwords.ts';

const log = { info: () => {} };
// A pool's end does not wait for its connections: the database may be dropped under them.
const onError = (): void => undefined;
// Roles belong to the cluster, which other suites use at the same time: the consumer's password is theirs.
const passwords = { capture: 'c/@:%c', consumer: 'consumer-tests', management: 'management1' };

let database: TestDatabase;
const pools = new Map<PostgresRole, pg.Pool>();

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log })),
  });
  await setRolePasswords(database.url, passwords);
  for (const role of Object.keys(postgresRoles) as PostgresRole[]) {
    pools.set(role, createPool(roleUrl(database.url, role, passwords[role]), { applicationName: role, onError }));
  }
});

afterAll(async () => {
  for (const pool of pools.values()) await pool.end();
  await database.drop();
});

async function may(role: PostgresRole, sql: string): Promise<boolean> {
  try {
    await pools.get(role)?.query(sql);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return false;
    throw error;
  }
}

const limitTables = ['previous_project_tokens', 'quotas', 'restrictions'];
const organizationTables = [
  'project_access',
  'organization_domains',
  'organization_integrations',
  'project_integrations',
  'organization_invites',
  'legal_documents',
  'oauth_applications',
];
const managementTables = [
  ...[
    'organizations',
    'users',
    'memberships',
    'projects',
    'personal_api_keys',
    'endpoints',
    'endpoint_versions',
    'endpoint_tokens',
    'materializations',
    'build_slots',
    'build_turns',
    'insight_variables',
    'archived_survey_responses',
    'trace_scores',
    'unmirrored_rows',
    'error_tracking_releases',
    'symbol_sets',
    'symbol_set_uploads',
    'suppression_rules',
    'error_tracking_issues',
    'error_tracking_alert_deliveries',
  ],
  ...organizationTables,
  ...limitTables,
];
// The consumer adds their rows, members change some columns, and nobody deletes one.
const describedTables = ['event_definitions', 'property_definitions'];
const learnedTables = [...describedTables, 'event_properties'];
// Its rows are only added.
const logTables = ['activity_log'];
// Written by triggers alone.
const copiedTables = ['listed_members', 'listed_member_counts'];
// Nobody deletes their rows: they are retired or marked as deleted.
const keptTables = [
  'score_definitions',
  'score_definition_versions',
  'review_queues',
  'review_queue_items',
  'trace_reviews',
  'error_tracking_alert_settings',
  'error_tracking_alert_queues',
];
const identityTables = ['persons', 'person_distinct_ids', 'personless_distinct_ids', 'group_types', 'groups'];
// The consumer resolves them; management deletes those of a symbol set that is deleted.
const frameTables = ['stack_frames'];
// The consumer counts, and reads the rules that management writes.
const countTables = ['suppression_rule_hits'];
const sharedTables = ['quota_usage', 'changes'];
// The first of maps is written by a function, which the API calls too.
const consumerTables = ['consumed_streams', 'late_maps', 'late_map_passes'];
// The consumer makes them by a function; management leads them to other issues. Nobody deletes one.
const ledTables = ['error_tracking_fingerprints'];
// The consumer alone, which never deletes from it.
const progressTables = ['suppression_progress'];

const rights: { role: PostgresRole; reads: string[]; writes: string[] }[] = [
  { role: 'capture', reads: [...limitTables, ...sharedTables], writes: [] },
  {
    role: 'consumer',
    reads: [
      ...identityTables,
      ...consumerTables,
      ...learnedTables,
      ...frameTables,
      ...countTables,
      ...progressTables,
      'suppression_rules',
      'symbol_sets',
      'error_tracking_releases',
      'previous_project_tokens',
      'changes',
    ],
    writes: [...identityTables, ...consumerTables, ...countTables],
  },
  {
    role: 'management',
    reads: [
      ...managementTables,
      ...identityTables,
      ...sharedTables,
      ...learnedTables,
      ...logTables,
      ...copiedTables,
      ...keptTables,
      ...frameTables,
      ...countTables,
      ...ledTables,
    ],
    writes: [...managementTables, ...frameTables, 'quota_usage'],
  },
];

describe('the roles of the services', () => {
  test.each(rights)('$role reads and writes its own tables and no others', async ({ role, reads, writes }) => {
    for (const table of [
      ...managementTables,
      ...identityTables,
      ...sharedTables,
      ...consumerTables,
      ...learnedTables,
      ...logTables,
      ...copiedTables,
      ...keptTables,
      ...frameTables,
      ...countTables,
      ...ledTables,
    ]) {
      expect([table, 'read', await may(role, `SELECT * FROM ${table} LIMIT 0`)]).toEqual([
        table,
        'read',
        reads.includes(table),
      ]);
      expect([table, 'write', await may(role, `DELETE FROM ${table} WHERE false`)]).toEqual([
        table,
        'write',
        writes.includes(table),
      ]);
    }
    expect(await may(role, 'CREATE TABLE own (id int)')).toBe(false);
    expect(await may(role, 'DELETE FROM _prisma_migrations')).toBe(false);
  });

  test('capture and consumer see of projects what they need, and nothing else', async () => {
    expect(await may('capture', 'SELECT id, api_token, deleted_at FROM projects')).toBe(true);
    expect(await may('capture', 'SELECT name FROM projects')).toBe(false);
    expect(await may('consumer', 'SELECT id, api_token, anonymize_ips, timezone, deleted_at FROM projects')).toBe(true);
    expect(await may('consumer', 'SELECT name FROM projects')).toBe(false);
    expect(await may('consumer', 'UPDATE projects SET name = name')).toBe(false);
    // A name that was missed makes the names incomplete.
    const id = 'WHERE id = 0';
    expect(await may('consumer', `UPDATE projects SET definitions_complete_at = NULL ${id}`)).toBe(true);
    expect(await may('capture', `UPDATE projects SET definitions_complete_at = NULL ${id}`)).toBe(false);
    const ofProject = 'WHERE project_id = 0';
    expect(await may('consumer', `UPDATE definition_backfills SET is_read = false ${ofProject} AND is_read`)).toBe(
      true,
    );
    expect(await may('consumer', `UPDATE definition_backfills SET period = period ${ofProject}`)).toBe(false);
    expect(await may('consumer', `DELETE FROM definition_backfills ${ofProject}`)).toBe(false);
  });

  test('the consumer writes what it learns of names and types, and nothing that members write of them', async () => {
    const columns = {
      event_definitions: 'project_id, name, first_seen_at, last_seen_at',
      property_definitions: 'project_id, type, name, first_seen_at, last_seen_at',
      event_properties: 'project_id, event, property',
    };
    for (const [table, names] of Object.entries(columns)) {
      const row = `SELECT ${names} FROM ${table} WHERE false`;
      expect([table, await may('consumer', `INSERT INTO ${table} (${names}) ${row}`)]).toEqual([table, true]);
    }
    const learned = ['first_seen_at', 'last_seen_at'];
    const ofProperties = [
      'property_type',
      'first_value_at',
      'numbers',
      'booleans',
      'times',
      'texts',
      'lists',
      'objects',
    ];
    const ofMembers = [
      'name',
      'project_id',
      'description',
      'tags',
      'verified_at',
      'verified_by_id',
      'hidden',
      'updated_at',
    ];
    const written = async (table: string, names: readonly string[]): Promise<boolean[]> =>
      await Promise.all(names.map((name) => may('consumer', `UPDATE ${table} SET ${name} = ${name} WHERE false`)));
    expect(new Set(await written('event_definitions', learned))).toEqual(new Set([true]));
    expect(new Set(await written('property_definitions', [...learned, ...ofProperties]))).toEqual(new Set([true]));
    for (const table of describedTables)
      expect([table, new Set(await written(table, ofMembers))]).toEqual([table, new Set([false])]);
    expect(await may('consumer', 'UPDATE event_properties SET event = event WHERE false')).toBe(false);
    expect(await may('management', `INSERT INTO event_properties SELECT * FROM event_properties WHERE false`)).toBe(
      false,
    );
    for (const table of describedTables) {
      expect([table, await may('management', `DELETE FROM ${table} WHERE false`)]).toEqual([table, false]);
      expect([table, await may('management', `UPDATE ${table} SET description = '' WHERE false`)]).toEqual([
        table,
        true,
      ]);
    }
  });

  test('capture counts what is used of quotas, and only its triggers write the change feed', async () => {
    expect(await may('capture', `INSERT INTO quota_usage VALUES (1, 'events', '2026-11-01', 1)`)).toBe(true);
    expect(await may('capture', 'UPDATE quota_usage SET used = used + 1')).toBe(true);
    for (const role of ['capture', 'consumer', 'management'] as const)
      expect(await may(role, `INSERT INTO changes (topic) VALUES ('quota')`)).toBe(false);
  });

  test('each can add rows to what it owns, with the sequences that takes', async () => {
    const added = await pools
      .get('consumer')
      ?.query(`INSERT INTO persons (team_id, uuid, created_at) VALUES (1, gen_random_uuid(), now()) RETURNING version`);
    expect(added?.rows).toEqual([{ version: '0' }]);
    const prisma = createPrisma(roleUrl(database.url, 'management', passwords.management), {
      applicationName: 'test',
      onError,
    });
    const id = '01900000-0000-7000-8000-000000000001';
    const project = { uuid: id, name: 'P', apiToken: 'phc_x' };
    const organization = await prisma.organization.create({
      data: { id, name: 'O', projects: { create: project } },
      include: { projects: true },
    });
    await prisma.$disconnect();
    expect(organization.projects).toMatchObject([{ apiToken: 'phc_x', timezone: 'UTC' }]);
  });

  test.each(rights)('$role can see whether the schema is up to date', async ({ role }) => {
    expect((await schemaVersion(pools.get(role) as pg.Pool)).pending).toEqual([]);
  });

  test('a version of a score definition never changes, and a score is replaced, never updated', async () => {
    const updates = async (table: string): Promise<boolean> =>
      await may('management', `UPDATE ${table} SET created_at = created_at WHERE false`);
    expect(await updates('score_definitions')).toBe(true);
    expect(await updates('score_definition_versions')).toBe(false);
    expect(await updates('trace_scores')).toBe(false);
    expect(await may('management', 'SELECT FROM score_definitions WHERE false FOR UPDATE')).toBe(true);
    expect(await may('management', 'SELECT FROM score_definition_versions WHERE false FOR UPDATE')).toBe(false);
  });

  test('the same roles serve several databases of a cluster, migrated at the same time', async () => {
    const others = await Promise.all([createEmptyDatabase(), createEmptyDatabase(), createEmptyDatabase()]);
    try {
      await Promise.all(others.map(({ url }) => migratePostgres(url, { log })));
      await Promise.all(others.map(({ url }) => setRolePasswords(url, passwords)));
      const client = new pg.Client({ connectionString: roleUrl(others[0]?.url ?? '', 'capture', passwords.capture) });
      await client.connect();
      expect((await client.query('SELECT current_user AS name')).rows).toEqual([{ name: postgresRoles.capture }]);
      await client.end();
    } finally {
      await Promise.all(others.map((other) => other.drop()));
    }
  });

  test('a wrong password is refused', async () => {
    const client = new pg.Client({ connectionString: roleUrl(database.url, 'consumer', 'wrong') });
    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });
});

test('names that must be unique are: emails without case, endpoints while they are not deleted', async () => {
  const admin = createPrisma(database.url, { applicationName: 'test', onError });
  const uuid = (last: number): string => `01900000-0000-7000-8000-0000000001${String(last).padStart(2, '0')}`;
  try {
    await admin.user.create({ data: { uuid: uuid(1), email: 'Ann@Example.com' } });
    await expect(admin.user.create({ data: { uuid: uuid(2), email: 'ann@example.COM' } })).rejects.toThrow(
      'Unique constraint',
    );
    const organization = await admin.organization.create({ data: { id: uuid(3), name: 'O' } });
    const project = await admin.project.create({
      data: { uuid: uuid(3), organizationId: organization.id, name: 'P', apiToken: 'phc_y' },
    });
    const endpoint = { projectId: project.id, name: 'daily' };
    await admin.endpoint.create({ data: { ...endpoint, id: uuid(4), deletedAt: new Date() } });
    await admin.endpoint.create({ data: { ...endpoint, id: uuid(5) } });
    await expect(admin.endpoint.create({ data: { ...endpoint, id: uuid(6) } })).rejects.toThrow('Unique constraint');
  } finally {
    await admin.$disconnect();
  }
});
