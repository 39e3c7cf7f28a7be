import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { createStorage } from '@millrace/object-storage/create-storage.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { createPrisma } from '@millrace/postgres/prisma.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { prepareClickhouse, randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { createTestDatabase } from '@millrace/testkit/test-postgres.ts';
import { createAdmin } from '../admin.ts';
import { createApp, type Dependencies, type ManagementApi } from '../app.ts';
import { settings } from '../config.ts';
import { createMemoryMailer } from '../mail/memory-mailer.ts';
import { requestTo, type Method, type ReplyBody, type Sending } from './test-request.ts';

export type TestApi = Awaited<ReturnType<typeof startTestApi>>;
/** An organization with a project, an owner and a key of the owner that may do everything. */
export type Seed = Awaited<ReturnType<TestApi['seed']>>;

/** The whole service on real engines, with a database of its own; project ids are those of no other suite. */
export async function startTestApi(environment: Record<string, string> = {}, dependencies: Dependencies = {}) {
  const log = createLogger('test', 'warn');
  const database = await createTestDatabase({
    template: 'management',
    migrate: async (url) => void (await migratePostgres(url, { log })),
  });
  const clickhouse = await prepareClickhouse(async ({ url, admin }) => {
    await migrateClickhouse({ url, user: admin.username, password: admin.password }, { log });
  });
  const onError = (): void => undefined; // the database is dropped under idle connections at the end
  const prisma = createPrisma(database.url, { applicationName: 'test', max: 2, onError });
  await prisma.$executeRaw`SELECT setval('projects_id_seq', ${randomTeamId()})`;
  const objects = mkdtempSync(join(tmpdir(), 'millrace-objects-'));
  const surroundings = {
    API_PORT: '0',
    OPERATIONS_PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_TENANT_PASSWORD: clickhouse.tenant.password,
    CLICKHOUSE_RECORDER_PASSWORD: clickhouse.recorder.password,
    CLICKHOUSE_MATERIALIZER_PASSWORD: clickhouse.materializer.password,
    CLICKHOUSE_TOKEN_SECRET: clickhouse.tokenSecret,
    STORAGE_DIR: objects,
    STORAGE_SIGNING_SECRET: 'of this test',
    ...environment,
  };
  const mailer = createMemoryMailer();
  const { storage } = createStorage(readConfig(settings, surroundings).storage, { clock: systemClock, logger: log });
  if (storage === undefined) throw new Error('the tests need a storage');
  const started: ManagementApi[] = [];
  const startProcess = async (
    changes: Record<string, string> = {},
    parts: Dependencies = {},
  ): Promise<ManagementApi> => {
    const app = createApp(readConfig(settings, { ...surroundings, ...changes }), { mailer, ...dependencies, ...parts });
    await app.start();
    started.push(app);
    return app;
  };
  const api = await startProcess();
  const writer = createClickhouse({
    url: clickhouse.url,
    user: clickhouse.writer.username,
    password: clickhouse.writer.password,
  });
  const admin = createAdmin(prisma);

  return {
    api,
    /** Another process of the API on the same database, as far as one process can be another. */
    startProcess,
    /** Mails that all its processes have sent. */
    mails: mailer.sent,
    storage,
    /** Where the storage keeps its objects. */
    objectsFolder: objects,
    prisma,
    databaseUrl: database.url,
    /** Settings of its processes. */
    environment: surroundings,
    admin,
    writer,
    clickhouse,
    async seed(name = 'Acme') {
      const { organizationId } = await admin.createOrganization({ name });
      const { projectId } = await admin.createProject({ organizationId, name });
      // As of a project whose first event was learned.
      await prisma.project.update({ where: { id: projectId }, data: { definitionsCompleteAt: new Date() } });
      const email = `${name.toLowerCase()}-${projectId}@example.com`;
      const { userId, userUuid } = await admin.createUser({ organizationId, email, firstName: name, level: 15 });
      const { key, id: keyId } = await admin.createKey({ email, scopes: ['*'] });
      return { organizationId, projectId, email, userId, userUuid, key, keyId };
    },
    /** A request with a key. */
    as: (key: string | undefined, { url }: Pick<ManagementApi, 'url'> = api) => ({
      send<Body = ReplyBody>(method: Method, path: string): Sending<Body> {
        const made = requestTo<Body>(url, method, path);
        return key === undefined ? made : made.set('Authorization', `Bearer ${key}`);
      },
    }),
    async insertEvents(rows: readonly Record<string, unknown>[]) {
      await writer.insert({ table: 'analytics.events', format: 'JSONEachRow', values: rows.map(eventRow) });
    },
    async stop() {
      for (const app of started) await app.stop();
      await writer.close();
      await prisma.$disconnect();
      await database.drop();
      rmSync(objects, { recursive: true });
    },
  };
}

function eventRow(row: Record<string, unknown>) {
  const properties = (row['properties'] ?? {}) as Record<string, unknown>;
  return {
    uuid: crypto.randomUUID(),
    event: 'tested',
    distinct_id: 'd',
    timestamp: '2026-01-02 03:04:05.678901',
    created_at: '2026-01-02 03:04:05.678901',
    person_id: '00000000-0000-0000-0000-000000000000',
    person_mode: 'full',
    person_properties_text: '{}',
    person_properties: {},
    ...row,
    properties_text: JSON.stringify(properties),
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [
        key,
        typeof value === 'string' || value === null ? value : JSON.stringify(value),
      ]),
    ),
  };
}
