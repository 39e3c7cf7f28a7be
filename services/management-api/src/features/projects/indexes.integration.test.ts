import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { createPrismaOver } from '@millrace/postgres/prisma.ts';
import { generateProjects } from '@millrace/testkit/generated-organization.ts';
import { fillDatabase, readPlan, type PlanRow } from '../../test/plans.ts';
import { startTestApi, type TestApi } from '../../test/test-api.ts';
import { readProjectQuery } from './project-filter.ts';
import { readProjects } from './read-projects.ts';

// The plans of the statements that Prisma makes of the list, over 4,000 projects of each of six organizations.
const projects = 4_000;

interface Statement {
  text: string;
  values?: unknown[];
}

let api: TestApi;
let pool: Pool;
const organizationId = randomUUID();
beforeAll(async () => {
  api = await startTestApi();
  pool = createPool(api.databaseUrl, { applicationName: 'plans', max: 1, onError: () => undefined });
  await fillDatabase(api.databaseUrl, async (filling) => {
    for (const [index, id] of [organizationId, ...Array.from({ length: 5 }, () => randomUUID())].entries()) {
      await filling.query("INSERT INTO organizations (id, name) VALUES ($1, 'Large')", [id]);
      await generateProjects(filling, { organizationId: id, projects, from: index * projects + 1 });
    }
  });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await api?.stop();
});

/** Statements that Prisma sends for one page of the query. */
async function statementsOf(query: Parameters<typeof readProjectQuery>[0]): Promise<Statement[]> {
  const sent: Statement[] = [];
  const listening = createPool(api.databaseUrl, { applicationName: 'listening', max: 1, onError: () => undefined });
  const run = listening.query.bind(listening) as (statement: Statement, values?: unknown[]) => Promise<unknown>;
  Object.assign(listening, {
    query: (statement: Statement, values?: unknown[]) => (
      sent.push({ text: statement.text, values: statement.values ?? values ?? [] }),
      run(statement, values)
    ),
  });
  const prisma = createPrismaOver(listening);
  await readProjects(prisma, readProjectQuery(query, { organizationId, userId: 1, level: 15 }), {
    limit: 100,
    offset: 0,
  });
  await prisma.$disconnect();
  await listening.end();
  return sent;
}

async function planOf({ text, values }: Statement): Promise<ReturnType<typeof readPlan>> {
  const { rows } = await pool.query<PlanRow>(`EXPLAIN (FORMAT JSON) ${text}`, values);
  return readPlan(rows);
}

const isCount = ({ text }: Statement): boolean => text.includes('COUNT(*)');

test('the default page is found, and counted, by index', async () => {
  const [count, page] = await Promise.all(
    (await statementsOf({})).sort((one, other) => Number(isCount(other)) - Number(isCount(one))).map(planOf),
  );
  expect(count).toEqual({ sequential: [], indexes: ['projects_organization_id_id_idx'] });
  // In the order of numbers: by the organization's own index, or by that of all as long as few of others stand between.
  expect(page).toEqual({
    sequential: [],
    indexes: [expect.stringMatching(/^projects_(?:organization_id_id_idx|pkey)$/)],
  });
});

test.each(['kiosk 4711', '1234'])('a search is found, and counted, by index: %s', async (search) => {
  const statements = await statementsOf({ search });
  expect(statements.filter(isCount)).toHaveLength(1);
  expect(statements).toHaveLength(2);
  for (const statement of statements) {
    expect(await planOf(statement)).toEqual({
      sequential: [],
      indexes: expect.arrayContaining(['projects_name_search_idx']),
    });
  }
});
