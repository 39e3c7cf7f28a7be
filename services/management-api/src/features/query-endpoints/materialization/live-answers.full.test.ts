import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  materializableCase,
  type MaterializableCase,
} from '@millrace/query-language/testing/generated-materializable.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// While events come in, a table holds the rows of one moment, and all runs that read it answer as the query did at that moment (contract/endpoints 6.5).
let api: TestApi;
/** Runs that a table answered when no events came in, and tables that were built while some did. */
let compared = 0;
let builtAmidEvents = 0;
beforeAll(async () => {
  api = await startTestApi({ ENDPOINT_BUILDS_MAX: '10' });
});
afterAll(() => api?.stop());

interface Endpoint {
  seed: Seed;
  name: string;
  made: MaterializableCase;
}

/** Rows of each run; null: the query answered, since the table does not hold what these values ask for. */
type Answers = (unknown[][] | null)[];

const endpointsOfBatch = 10;
test.each(Array.from({ length: 4 }, (_, batch) => batch * endpointsOfBatch))(
  `${endpointsOfBatch} endpoints from seed %i`,
  async (first) => {
    await Promise.all(Array.from({ length: endpointsOfBatch }, (_, place) => expectOneMoment(first + place)));
  },
  120_000,
);

test('most runs were of tables, and some of these were built while events came in', () => {
  expect(compared).toBeGreaterThan(300);
  expect(builtAmidEvents).toBeGreaterThan(15);
});

async function expectOneMoment(number: number): Promise<void> {
  const made = materializableCase(number);
  const endpoint = await create(made, await api.seed(`Live${number}`));
  if (endpoint === null) return;
  let before = await answers(endpoint, 'direct');
  for (const wave of [1, 2, 3]) {
    const about = { number, wave, sql: made.sql };
    const [{ isWhole, builtAt: amidAt }] = await Promise.all([
      buildAgain(endpoint),
      insert(endpoint.seed, eventsOfOneMonth(1_000 * wave + number)),
    ]);
    const amid = await answersOfTable(endpoint, amidAt);
    const after = await answers(endpoint, 'direct');
    if (isWhole && !isDeepStrictEqual(before, after)) {
      builtAmidEvents += 1;
      expect([before, after].map((moment) => ({ ...about, moment: ofTable(moment, amid) }))).toContainEqual({
        ...about,
        moment: amid,
      });
    }
    const { builtAt } = await buildAgain(endpoint);
    const quiet = await answersOfTable(endpoint, builtAt);
    expect({ ...about, quiet }).toEqual({ ...about, quiet: ofTable(after, quiet) });
    compared += quiet.filter((rows) => rows !== null).length;
    before = after;
  }
}

/** The answers without those of runs that the table did not answer. */
const ofTable = (all: Answers, table: Answers): Answers => all.map((rows, run) => (table[run] === null ? null : rows));

const send = (
  { seed }: Pick<Endpoint, 'seed'>,
  method: 'get' | 'post',
  path: string,
): ReturnType<ReturnType<TestApi['as']>['send']> =>
  api.as(seed.key).send(method, `/api/projects/${seed.projectId}/endpoints${path}`);

/** A materialized endpoint with events; null: a rule refuses its query. */
async function create(made: MaterializableCase, seed: Seed): Promise<Endpoint | null> {
  await insert(seed, made.events);
  const variables = Object.fromEntries(
    made.variables.map(({ code_name, type, default_value: value }) => [code_name, { code_name, type, value }]),
  );
  const name = 'live';
  const { status, body } = await send({ seed }, 'post', '').send({
    name,
    query: { kind: 'HogQLQuery', query: made.sql, variables },
    bucket_overrides: made.bucket_overrides,
    is_materialized: true,
  });
  if (status === 400) {
    // A query that a rule refuses is for the tests of the rules.
    expect([made.sql, body]).toMatchObject([made.sql, { detail: expect.stringContaining('put together') }]);
    return null;
  }
  expect([status, body]).toEqual([201, body]);
  await eventually(
    async () =>
      expect((await send({ seed }, 'get', `/${name}/materialization_status`)).body).toMatchObject({ ready: true }),
    { deadlineMs: 30_000 },
  );
  return { seed, name, made };
}

async function answers(endpoint: Endpoint, refresh: 'direct' | 'force', builtAt?: string): Promise<Answers> {
  const found: Answers = [];
  for (const run of endpoint.made.runs) {
    const variables = Object.fromEntries(
      endpoint.made.variables.map(({ code_name, default_value }) => [code_name, run[code_name] ?? default_value]),
    );
    const { status, body } = await send(endpoint, 'post', `/${endpoint.name}/run`).send({
      variables,
      refresh,
      debug: true,
    });
    expect([status, endpoint.made.sql, variables, body]).toEqual([200, endpoint.made.sql, variables, body]);
    const { results, path } = body as { results: unknown[][]; path: string };
    expect(path).not.toBe('materialized_fallback');
    if (path === 'materialized') expect(body).toMatchObject({ endpoint_materialized_at: builtAt });
    found.push(refresh === 'direct' || path === 'materialized' ? results : null);
  }
  return found;
}

/** Answers of the table that was built at this time: a process learns of a new one a moment later. */
const answersOfTable = (endpoint: Endpoint, builtAt: string): Promise<Answers> =>
  eventually(() => answers(endpoint, 'force', builtAt), { deadlineMs: 10_000 });

/** Makes the next build due, and waits for it. `isWhole`: it read all events, in one statement. */
async function buildAgain({ seed, name }: Endpoint): Promise<{ isWhole: boolean; builtAt: string }> {
  const where = { endpoint: { name, projectId: seed.projectId } };
  const before = await api.prisma.materialization.findFirstOrThrow({ where });
  await api.prisma.materialization.updateMany({ where, data: { nextBuildAt: new Date() } });
  return await eventually(
    async () => {
      const row = await api.prisma.materialization.findFirstOrThrow({ where });
      expect(row).toMatchObject({ status: 'Completed', error: '' });
      expect(row.tableName).not.toBe(before.tableName);
      return { isWhole: row.bucketsRebuilt === null, builtAt: row.lastMaterializedAt?.toISOString() ?? '' };
    },
    { deadlineMs: 30_000 },
  );
}

/** Events of one partition: an insert of them is seen whole or not at all. */
const eventsOfOneMonth = (number: number): MaterializableCase['events'] =>
  materializableCase(number).events.filter(({ timestamp }) => timestamp.startsWith('2026-03'));

async function insert({ projectId }: Seed, events: MaterializableCase['events']): Promise<void> {
  if (events.length === 0) return;
  await api.insertEvents(
    events.map(({ timestamp, ...event }) => ({
      ...event,
      team_id: projectId,
      timestamp: timestamp.replace('T', ' ').replace('Z', ''),
    })),
  );
}
