import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import {
  materializableCase,
  type MaterializableCase,
} from '@millrace/query-language/testing/generated-materializable.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// A run that a table answers has the rows of one that asks the events, over HTTP: for generated endpoints, events and values, and while
// events come in (contract/endpoints 0.8, 6.5). `force` leaves the cache, not the table.
let api: TestApi;
const projects: Seed[] = [];
/** Moves the clock of the process. */
let aheadMs = 0;

// The clocks of Los Angeles go forward on March 8; those of Kolkata are half an hour off.
const zones = ['UTC', 'America/Los_Angeles', 'Asia/Kolkata'];
/** Types that the project of Los Angeles has learned. */
const learned = { n: 'Numeric', flag: 'Boolean', plan: 'String', at: 'DateTime', tags: 'List' };
const pages = [{}, { limit: 2, offset: 1 }, { limit: 1 }];
/** An endpoint of each of these seeds, in the projects in turn. */
const seedsMax = 400;
const pairsWanted = 2_000;

beforeAll(async () => {
  const clock = { nowMs: () => Date.now() + aheadMs };
  const settings = { ENDPOINT_MATERIALIZED_PER_PROJECT_MAX: '1000', ENDPOINT_BUILDS_MAX: '4' };
  api = await startTestApi({ ...settings, ENDPOINT_BUILDS_PER_PROJECT_MAX: '4' }, { clock });
  for (const timezone of zones) {
    const seed = await api.seed(timezone.toLowerCase().replace(/\W/g, '-'));
    await api.prisma.project.update({ where: { id: seed.projectId }, data: { timezone } });
    projects.push(seed);
    if (timezone === 'America/Los_Angeles') await learn(seed);
    for (let case_ = 0; case_ < 15; case_++) await insert(seed, materializableCase(5_000 + case_).events);
  }
}, 60_000);
afterAll(() => api?.stop());

async function learn({ projectId }: Seed): Promise<void> {
  const times = { firstSeenAt: new Date(), lastSeenAt: new Date() };
  await api.prisma.propertyDefinition.createMany({
    data: Object.entries(learned).map(([name, propertyType]) => ({
      projectId,
      type: 'event',
      groupTypeIndex: -1,
      name,
      propertyType,
      ...times,
    })),
  });
}

async function insert({ projectId }: Seed, events: MaterializableCase['events'], more: object = {}): Promise<void> {
  const rows = events.map(({ event, timestamp, distinct_id, properties }) => {
    const at = timestamp.replace('T', ' ').replace('Z', '');
    return { team_id: projectId, event, distinct_id, properties, timestamp: at, created_at: at, ...more };
  });
  if (rows.length > 0) await api.insertEvents(rows);
}

interface Made {
  seed: number;
  project: Seed;
  name: string;
  sql: string;
  runs: readonly Record<string, unknown>[];
}

const send = <Body>({ key, projectId }: Seed, method: 'get' | 'post' | 'patch', path: string, body?: object) => {
  const made = api.as(key).send<Body>(method, `/api/projects/${projectId}/endpoints${path}`);
  return body === undefined ? made : made.send(body);
};

/** The endpoint of a seed, materialized by PATCH. Null: a rule refuses it. */
async function materialized(seed: number, sqlOf = (sql: string): string => sql): Promise<Made | null> {
  const project = projects[seed % projects.length] as Seed;
  const { sql: generated, variables, bucket_overrides, runs } = materializableCase(seed);
  const sql = sqlOf(generated);
  const name = `case-${seed}-${sql === generated ? 'all' : 'kept'}`;
  const declared = variables.map(({ code_name, type, default_value: value }) => [
    code_name,
    { code_name, type, ...(value === null ? { isNull: true } : { value }) },
  ]);
  const query = { kind: 'HogQLQuery', query: sql, variables: Object.fromEntries(declared) as object };
  const created = await send(project, 'post', '', { name, query });
  expect([created.status, created.body]).toEqual([201, created.body]);
  const changed = await send<{ detail?: string }>(project, 'patch', `/${name}`, {
    is_materialized: true,
    bucket_overrides,
  });
  if (changed.status === 400) {
    // Such a query is for the tests of the rules; here it must be this rule.
    expect([sql, changed.body.detail]).toEqual([sql, expect.stringContaining('put together')]);
    return null;
  }
  expect([sql, changed.status, changed.body]).toEqual([sql, 200, changed.body]);
  await eventually(
    async () => expect((await send(project, 'get', `/${name}`)).body).toMatchObject({ is_materialized: true }),
    { deadlineMs: 20_000 },
  );
  return { seed, project, name, sql, runs: allRuns(variables, runs) };
}

/** The runs of a case with all variables, and mixtures of them without null, which a materialized version takes for none. */
function allRuns(declared: MaterializableCase['variables'], runs: MaterializableCase['runs']): Made['runs'] {
  const variables = declared.map(({ code_name: name, default_value: value }) => ({
    name,
    value,
    values: [...new Set([value, ...runs.map((run) => run[name] ?? null)])].filter((one) => one !== null),
  }));
  const defaults = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const mixed = Array.from({ length: 12 }, (_, at) =>
    Object.fromEntries(
      variables.map(({ name, values }, step) => [name, values[Math.floor(at / (step + 1)) % values.length] ?? null]),
    ),
  );
  const all = [...runs.map((run) => ({ ...defaults, ...run })), ...mixed];
  return [...new Map(all.map((run) => [JSON.stringify(run), run])).values()];
}

interface Answer {
  status: number;
  path: unknown;
  /** Infinity: no table answered. */
  builtAtMs: number;
  answer: unknown;
}

async function run({ project, name }: Made, body: object): Promise<Answer> {
  const reply = await send<Record<string, unknown>>(project, 'post', `/${name}/run`, { debug: true, ...body });
  const { path, columns, types, results, hasMore, detail, endpoint_materialized_at: builtAt } = reply.body;
  const builtAtMs = typeof builtAt === 'string' ? Date.parse(builtAt) : Infinity;
  return { status: reply.status, path, builtAtMs, answer: { columns, types, results, hasMore, detail } };
}

/** Compares all runs of an endpoint, once its table is newer than this. Returns the number of those that the table answered. */
async function compare(made: Made, newerThanMs = 0): Promise<number> {
  let compared = 0;
  for (const [at, variables] of made.runs.entries())
    for (const page of [pages[0], pages[1 + (at % 2)]]) {
      const about = { seed: made.seed, sql: made.sql, variables, page };
      const stored = await eventually(async () => {
        const answer = await run(made, { variables, ...page, refresh: 'force' });
        expect(answer.builtAtMs).toBeGreaterThan(newerThanMs);
        return answer;
      });
      const direct = await run(made, { variables, ...page, refresh: 'direct' });
      const isSame = isDeepStrictEqual([stored.status, stored.answer], [direct.status, direct.answer]);
      expect(isSame ? null : { ...about, stored, direct }).toBeNull();
      if (stored.status !== 200) continue;
      expect([made.sql, direct.path]).toEqual([made.sql, 'inline']);
      expect(['materialized', 'inline']).toContain(stored.path);
      if (stored.path === 'materialized') compared++;
    }
  return compared;
}

/** Does the work for all items, three at a time. */
async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    [1, 2, 3].map(async () => {
      for (const item of queue) await work(item);
    }),
  );
}

test(`${pairsWanted} runs of tables have the rows of their queries`, async () => {
  let pairs = 0;
  await forEach(
    Array.from({ length: seedsMax }, (_, seed) => seed + 10_000),
    async (seed) => {
      if (pairs >= pairsWanted) return;
      const made = await materialized(seed);
      if (made !== null) pairs += await compare(made);
    },
  );
  expect(pairs).toBeGreaterThanOrEqual(pairsWanted);
}, 150_000);

describe('while events come in', () => {
  // Events of the past stay as they are; those that come in have a user of their own.
  const kept = (sql: string): string => sql.replace(' WHERE ', " WHERE distinct_id != 'late' AND ");
  const seeds = Array.from({ length: 24 }, (_, at) => at + 20_000);

  /** Does the work while events come in. */
  async function amongEvents(seed: number, work: () => Promise<void>): Promise<void> {
    const write = async (): Promise<void> => {
      for (let batch = 0; batch < 6; batch++)
        for (const project of projects)
          await insert(project, materializableCase(30_000 + seed + batch).events, { distinct_id: 'late' });
    };
    await Promise.all([write(), work()]);
  }

  test('rows that they do not touch are those of before, and tables that are built then hold each event once', async () => {
    let pairs = 0;
    const moving: Made[] = [];
    await forEach(seeds, (seed) =>
      amongEvents(seed, async () => {
        const [still, made] = [await materialized(seed, kept), await materialized(seed)];
        if (still !== null) pairs += await compare(still);
        if (made !== null) moving.push(made);
      }),
    );
    expect(pairs).toBeGreaterThan(50);

    // Beyond the window a table answers nothing, and is built again.
    const builtAt = new Map(await Promise.all(moving.map(async (made) => [made, await readBuiltAt(made)] as const)));
    aheadMs = 86_401_000;
    try {
      await forEach(moving, async (made) => {
        const stale: Answer[] = [];
        for (const variables of made.runs) stale.push(await run(made, { variables, refresh: 'force' }));
        const paths = stale.filter(({ status }) => status === 200).map(({ path }) => path);
        expect([made.sql, paths]).toEqual([made.sql, paths.map(() => 'inline')]);
        if (paths.length === 0) return;
        await eventually(async () => expect(await readBuiltAt(made)).toBeGreaterThan(builtAt.get(made) ?? Infinity), {
          deadlineMs: 30_000,
        });
      });
    } finally {
      aheadMs = 0;
    }
    pairs = 0;
    await forEach(moving, async (made) => {
      const before = builtAt.get(made) ?? Infinity;
      if ((await readBuiltAt(made)) > before) pairs += await compare(made, before);
    });
    expect(pairs).toBeGreaterThan(50);
  }, 120_000);

  async function readBuiltAt({ project, name }: Made): Promise<number> {
    const { body } = await send<Record<string, unknown>>(project, 'get', `/${name}/materialization_status`);
    return Date.parse(String(body['last_materialized_at']));
  }
});
