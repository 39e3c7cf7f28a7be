import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createTestDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import type { Pool } from 'pg';
import { readCaptureConfig, type CaptureConfig } from '../config.ts';
import { startCapture, type CaptureUnderTest } from '../test/capture-under-test.ts';
import { createPostgresSource } from './project-source.ts';

let database: TestDatabase;
let admin: Pool;
let projectId = 0;
const running: CaptureUnderTest[] = [];
const logger = createLogger('test', 'silent');

beforeAll(async () => {
  database = await createTestDatabase({
    template: 'postgres',
    migrate: async (url) => void (await migratePostgres(url, { log: { info: () => undefined } })),
  });
  admin = createPool(database.url, { applicationName: 'test', onError: () => undefined });
  await admin.query(`INSERT INTO organizations (id, name) VALUES ('01900000-0000-7000-8000-000000000001', 'o')`);
});
afterEach(async () => void (await Promise.all(running.splice(0).map((service) => service.close()))));
afterAll(async () => {
  await admin?.end();
  await database?.drop();
});

/** The service over the real database, with the rights of capture and no help but the change feed: nothing is looked up again by itself. */
async function start(changes: Partial<CaptureConfig> = {}): Promise<CaptureUnderTest> {
  const url = new URL(database.url);
  url.searchParams.set('options', `-c role=${postgresRoles.capture}`);
  const service = await startCapture(
    { tokenRefreshMs: 3_600_000, ...changes },
    { projects: createPostgresSource(url.href, 1_000, logger) },
  );
  running.push(service);
  return service;
}

async function addProject(token: string): Promise<void> {
  const { rows } = await admin.query<{ id: number }>(
    `INSERT INTO projects (uuid, organization_id, name, api_token) VALUES (gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'p', $1) RETURNING id`,
    [token],
  );
  projectId = rows[0]?.id ?? 0;
}

async function send(
  service: CaptureUnderTest,
  token: string,
  names: string[] = ['click'],
  distinctId = 'ann',
): Promise<{ status: number; body: unknown }> {
  const response = await service.post('/batch/', {
    api_key: token,
    batch: names.map((event) => ({ event, distinct_id: distinctId })),
  });
  return { status: response.status, body: await response.json() };
}

/** Within two seconds: that is "in seconds", and much less than any lookup by the clock would take. */
const soon = { deadlineMs: 2_000 };

describe('changes reach a running service within seconds, without a restart', () => {
  test('a project that was looked up too early works at once after its creation', async () => {
    const service = await start();
    expect((await send(service, 'phc_early')).status).toBe(401);
    await addProject('phc_early');
    await eventually(async () => expect((await send(service, 'phc_early')).status).toBe(200), soon);
  });

  test('a rotated token: the new one works, the old one until its grace is over', async () => {
    const service = await start();
    await addProject('phc_old');
    expect([(await send(service, 'phc_old')).status, (await send(service, 'phc_new')).status]).toEqual([200, 401]);
    await admin.query(
      `WITH kept AS (INSERT INTO previous_project_tokens VALUES ('phc_old', $1, now() + interval '1 hour')) UPDATE projects SET api_token = 'phc_new' WHERE id = $1`,
      [projectId],
    );
    await eventually(async () => expect((await send(service, 'phc_new')).status).toBe(200), soon);
    expect((await send(service, 'phc_old')).status).toBe(200);
    await admin.query(`UPDATE previous_project_tokens SET valid_until = now() WHERE token = 'phc_old'`);
    await eventually(async () => expect((await send(service, 'phc_old')).status).toBe(401), soon);
    expect((await send(service, 'phc_new')).status).toBe(200);
  });

  test('a deleted project is refused, by all of its tokens', async () => {
    const service = await start();
    await addProject('phc_doomed');
    await admin.query(`INSERT INTO previous_project_tokens VALUES ('phc_doomed_old', $1, now() + interval '1 hour')`, [
      projectId,
    ]);
    expect([(await send(service, 'phc_doomed')).status, (await send(service, 'phc_doomed_old')).status]).toEqual([
      200, 200,
    ]);
    await admin.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [projectId]);
    await eventually(
      async () =>
        expect([(await send(service, 'phc_doomed')).status, (await send(service, 'phc_doomed_old')).status]).toEqual([
          401, 401,
        ]),
      soon,
    );
  });

  test('as soon as there is a second project, none has more than its share of the main lane', async () => {
    await admin.query('UPDATE projects SET deleted_at = now()');
    await addProject('phc_alone');
    const { limits } = readCaptureConfig({ DATABASE_URL: database.url, EVENT_LOG_DIR: 'unused' });
    const service = await start({ limits: { ...limits, projectRate: 1, projectBurst: 1 } });
    const names = ['1', '2', '3', '4', '5', '6'];
    await send(service, 'phc_alone', names);
    expect(await service.events(6)).toHaveLength(6);
    await addProject('phc_second');
    await eventually(async () => {
      await send(service, 'phc_alone', names);
      expect(await (await fetch(`${service.operationsUrl}/metrics`)).text()).toMatch(
        /millrace_capture_events_moved_total\{lane="overflow".*\} [1-9]/,
      );
    }, soon);
  });

  test('a restriction holds, also for a token that was rotated away, and ends when it is removed', async () => {
    const service = await start();
    await addProject('phc_limited');
    await admin.query(`INSERT INTO previous_project_tokens VALUES ('phc_limited_old', $1, now() + interval '1 hour')`, [
      projectId,
    ]);
    await admin.query(`INSERT INTO restrictions (project_id, action, events) VALUES ($1, 'redirect_to_dlq', '{bad}')`, [
      projectId,
    ]);
    await eventually(async () => {
      await send(service, 'phc_limited', ['bad']);
      await send(service, 'phc_limited_old', ['bad']);
      expect(await moved(service)).toBeGreaterThan(1);
    }, soon);
    await admin.query('DELETE FROM restrictions');
    await eventually(async () => {
      const before = await moved(service);
      await send(service, 'phc_limited', ['bad']);
      expect(await moved(service)).toBe(before);
    }, soon);
  });

  test('a quota is one for all processes: what one used, the other knows a second later; and it is written down', async () => {
    const [first, second] = [await start(), await start()];
    await addProject('phc_quota');
    await admin.query(`INSERT INTO quotas VALUES ($1, 'events', 10, 'day')`, [projectId]);
    await eventually(async () => expect(await limited(first)).toBe(1), soon);
    await eventually(async () => expect(await limited(second)).toBe(1), soon);
    expect(await send(first, 'phc_quota', Array<string>(8).fill('click'))).toEqual({
      status: 200,
      body: { status: 'Ok' },
    });
    await eventually(async () => expect(await used()).toBe(8), { deadlineMs: 4_000 });
    await eventually(
      async () => expect((await send(second, 'phc_quota')).body).toEqual({ status: 'Ok', quota_limited: ['events'] }),
      { deadlineMs: 4_000 },
    );
    await eventually(
      async () => expect((await send(first, 'phc_quota')).body).toEqual({ status: 'Ok', quota_limited: ['events'] }),
      { deadlineMs: 4_000 },
    );
    await admin.query(`UPDATE quotas SET "limit" = 1000`);
    await eventually(async () => expect((await send(first, 'phc_quota')).body).toEqual({ status: 'Ok' }), soon);
  });

  test('the use of quotas is reported at a stop', async () => {
    const service = await start();
    await addProject('phc_stop');
    await admin.query(`INSERT INTO quotas VALUES ($1, 'events', 100, 'month')`, [projectId]);
    await eventually(async () => expect(await limited(service)).toBe(2), soon);
    await send(service, 'phc_stop', ['a', 'b', 'c']);
    await service.app.stop();
    expect(await used()).toBe(3);
  });
});

async function figure(service: CaptureUnderTest, pattern: RegExp): Promise<number> {
  return Number(pattern.exec(await (await fetch(`${service.operationsUrl}/metrics`)).text())?.[1] ?? 0);
}

const moved = (service: CaptureUnderTest): Promise<number> =>
  figure(service, /millrace_capture_events_moved_total\{lane="dead-letter".*\} (\d+)/);
const limited = (service: CaptureUnderTest): Promise<number> =>
  figure(service, /millrace_capture_projects_limited\{.*\} (\d+)/);

async function used(): Promise<number> {
  const { rows } = await admin.query<{ used: string }>('SELECT used FROM quota_usage WHERE project_id = $1', [
    projectId,
  ]);
  return Number(rows[0]?.used ?? 0);
}
