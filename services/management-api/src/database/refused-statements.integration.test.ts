import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { createPrismaOver } from '@millrace/postgres/prisma.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { startTestApi, type Seed, type TestApi } from '../test/test-api.ts';
import { createPreparedStatements, type RunPrepared } from './prepared-statements.ts';
import { translateDatabaseError } from './prisma-errors.ts';

// Statements that Postgres ends for others' sake, and that may succeed when they are sent again.

let api: TestApi;
let pool: Pool;
let prisma: PrismaClient;
let runPrepared: RunPrepared;
beforeAll(async () => {
  api = await startTestApi({ DATABASE_STATEMENT_TIMEOUT_MS: '300' });
  pool = createPool(api.databaseUrl, { applicationName: 'test', max: 3, onError: () => undefined });
  prisma = createPrismaOver(pool);
  runPrepared = createPreparedStatements(pool);
});
afterAll(async () => {
  await prisma?.$disconnect();
  await pool?.end();
  await api?.stop();
});

describe.each([
  ['57014', 'statement timeout'],
  ['55P03', 'lock timeout'],
  ['40P01', 'deadlock'],
  ['40001', 'serialization failure'],
])('%s, %s, is a 503', (code) => {
  // A function: the driver prepares no statement with two commands, and PL/pgSQL blocks take no parameters.
  beforeAll(async () => {
    await pool.query(`CREATE OR REPLACE FUNCTION refuse(code text) RETURNS integer LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = code; END $$;
      DROP TRIGGER IF EXISTS refused ON review_queues;
      CREATE OR REPLACE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = TG_ARGV[0]; END $$;
      CREATE TRIGGER refused BEFORE UPDATE ON review_queues FOR EACH STATEMENT EXECUTE FUNCTION refuse_row('${code}')`);
  });
  afterAll(() => pool.query('DROP TRIGGER refused ON review_queues'));

  test.each<[string, () => Promise<unknown>]>([
    ['raw statement of Prisma', () => prisma.$queryRaw`SELECT refuse(${code})`],
    ['command of Prisma', () => prisma.$executeRaw`SELECT refuse(${code})`],
    ['call of Prisma', () => prisma.reviewQueue.updateMany({ data: { name: 'New' } })],
    [
      'call in a transaction',
      () => prisma.$transaction((inside) => inside.reviewQueue.updateMany({ data: { name: 'New' } })),
    ],
    ['prepared statement', () => runPrepared('refused', Prisma.sql`SELECT refuse(${code}::text)`)],
  ])('from a %s', async (_, work) => {
    const error: unknown = await work().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(translateDatabaseError(error)).toMatchObject({ code: 'unavailable', status: 503 });
  });
});

describe('rows that somebody else holds for longer than a statement may take', () => {
  let acme: Seed;
  beforeAll(async () => {
    acme = await api.seed();
  });

  test.each([
    ['prepared statement', 'post', 'trace_reviews/', { trace_id: 't' }],
    ['call of Prisma', 'post', 'review_queues/', { name: 'Complaints' }],
  ] as const)('end a %s with 503 and Retry-After', async (_, method, path, body) => {
    const other = await pool.connect();
    try {
      await other.query('BEGIN; LOCK TABLE trace_reviews, review_queues');
      const refused = await api
        .as(acme.key)
        .send(method, `/api/projects/${acme.projectId}/llm_analytics/${path}`)
        .send(body);
      expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
  });
});
