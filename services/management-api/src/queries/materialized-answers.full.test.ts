import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { QueryParameters } from '@millrace/query-language/parameters.ts';
import { noNames, type KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import {
  materializableCase,
  type MaterializableCase,
} from '@millrace/query-language/testing/generated-materializable.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openResultStore, type ResultStore } from '../test/stored-result.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';
import { checkQuery, prepareChecked, type CheckedQuery } from './compile/check-query.ts';
import { compileTable, type CompiledTable } from './compile/compile-table.ts';
import type { PreparedHere, RowRequest } from './compile/prepared-endpoint-query.ts';
import { prepareTable, type PreparedTableHere } from './compile/prepare-table.ts';
import type { FilterContext } from './definition/filters.ts';
import type { VariableValue } from './definition/variables.ts';

// A run that reads the table of a version has the rows of a run of its query: for generated endpoints, events and values.
let tenant: TestTenant;
let results: ResultStore;
/** Runs that were compared, by zone, and those that the plan leaves to the query itself. */
const compared = new Map<string, number>();
let inline = 0;

beforeAll(async () => {
  tenant = await openTenant();
  results = openResultStore(tenant);
});
afterAll(async () => {
  await results?.close();
  await tenant?.close();
});

/** Settings of a project. */
interface Project {
  kept: KeptTypes;
  timeZone: string;
}

const learned: KeptTypes = { event: { n: 'Numeric', flag: 'Boolean', plan: 'String', at: 'DateTime', tags: 'List' } };
// The clocks of Los Angeles go forward on March 8; those of Kolkata are half an hour off.
const projects: readonly Project[] = [
  { kept: {}, timeZone: 'UTC' },
  { kept: learned, timeZone: 'America/Los_Angeles' },
  { kept: learned, timeZone: 'UTC' },
  { kept: {}, timeZone: 'Asia/Kolkata' },
];
/** Pages of a run; undefined: as the query says. */
const pages = [{}, { limit: 2, offset: 1 }, { limit: 1 }];

const seedsOfBatch = 40;
test.each(Array.from({ length: 11 }, (_, batch) => batch * seedsOfBatch))(
  `${seedsOfBatch} endpoints from seed %i`,
  async (first) => {
    for (let seed = first; seed < first + seedsOfBatch; seed++)
      for (const project of [0, 1].map((other) => projects[(seed + other) % projects.length] as Project))
        await expectSameAnswers(seed, project);
  },
  120_000,
);

test('most runs are of the table', () => {
  const all = [...compared.values()].reduce((sum, count) => sum + count, 0);
  expect(all).toBeGreaterThan(2_000);
  for (const { timeZone } of projects) expect(compared.get(timeZone)).toBeGreaterThan(300);
  expect(inline).toBeLessThan(all);
});

async function expectSameAnswers(seed: number, { kept, timeZone }: Project): Promise<void> {
  const made = materializableCase(seed);
  const filterContext = { timeZone, testAccounts: [], nowMs: 0 };
  const team = randomTeamId();
  await tenant.insert({ events: made.events.map((event, place) => rowOf(team, event, place)) });
  const query = queryOf(made);
  let table: CompiledTable;
  try {
    table = compileTable({ query, kept, bucketOverrides: made.bucket_overrides, filterContext });
  } catch (error) {
    // A query that a rule refuses is for the tests of the rules; here it must not be the rule.
    expect([made.sql, String(error)]).toEqual([made.sql, expect.stringContaining('put together')]);
    return;
  }
  const { plan } = table;
  const { view } = await results.store(team, table);
  // As it comes out of Postgres.
  const keptPlan = JSON.parse(JSON.stringify(plan)) as typeof plan;
  const prepared = prepareTable({ plan: keptPlan, view, query, kept });
  const original = prepareChecked(query, { kept });
  for (const [at, run] of made.runs.entries()) {
    const rows = { limit: undefined, offset: undefined, rowsMax: 1_000, ...pages[(seed + at) % pages.length] };
    await expectSameRun({ team, seed, made, filterContext, rows }, { prepared, original }, run);
  }
}

/** Facts that a run depends on beside its query and values. */
interface Place {
  team: number;
  seed: number;
  made: MaterializableCase;
  filterContext: FilterContext;
  rows: RowRequest;
}

/** The endpoint as the API stores it. */
function queryOf({ sql, variables }: MaterializableCase): CheckedQuery {
  const declarations = variables.map(({ code_name, type, default_value: value }) => [
    code_name,
    { code_name, type, ...(value === null ? { isNull: true } : { value }) },
  ]);
  return checkQuery({ kind: 'HogQLQuery', query: sql, variables: Object.fromEntries(declarations) as object }).query;
}

async function expectSameRun(
  place: Place,
  { prepared, original }: { prepared: PreparedTableHere; original: PreparedHere },
  run: MaterializableCase['runs'][number],
): Promise<void> {
  const { seed, made, filterContext, rows } = place;
  const { sql, variables, bucket_overrides } = made;
  const values: Record<string, VariableValue> = Object.fromEntries(
    variables.map(({ code_name, default_value }) => [
      code_name,
      Object.hasOwn(run, code_name) ? (run[code_name] ?? null) : default_value,
    ]),
  );
  if (!prepared.serves(values)) {
    inline += 1;
    return;
  }
  const stored = await answer(place, prepared, values);
  if (prepared.emptyMeansInline && stored.length === 0) {
    inline += 1;
    return;
  }
  const { timeZone } = filterContext;
  compared.set(timeZone, (compared.get(timeZone) ?? 0) + 1);
  const about = { seed, sql, bucket_overrides, timeZone, run, rows };
  expect({ ...about, answer: stored }).toEqual({ ...about, answer: await answer(place, original, values) });
}

async function answer(
  { team, filterContext, rows }: Place,
  query: PreparedHere,
  values: Record<string, VariableValue>,
): Promise<unknown[]> {
  const { sql, params }: { sql: string; params: QueryParameters } = query.compile(values, rows, filterContext, noNames);
  return (JSON.parse(await tenant.send(team, { sql: `${sql}\nFORMAT JSONCompact`, params })) as { data: unknown[] })
    .data;
}

function rowOf(
  team: number,
  { event, timestamp, distinct_id, properties }: MaterializableCase['events'][number],
  place: number,
) {
  const at = timestamp.replace('T', ' ').replace('Z', '');
  return {
    team_id: team,
    uuid: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
    event,
    distinct_id,
    timestamp: at,
    created_at: at,
    person_id: '00000000-0000-4000-8000-0000000000f1',
    person_mode: 'full',
    properties_text: JSON.stringify(properties),
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, textOf(value)])),
  };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || value === null ? value : JSON.stringify(value);
