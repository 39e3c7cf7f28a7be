import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compileStored, prepareStatement, type PlaceholderValues } from '@millrace/query-language/compile.ts';
import { servesValue } from '@millrace/query-language/materialization/keys/serves-value.ts';
import { planMaterialization } from '@millrace/query-language/materialization/plan-materialization.ts';
import type { MaterializationPlan } from '@millrace/query-language/materialization/plan.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import type { StoredTable } from '@millrace/query-language/stored/stored-table.ts';
import { schemaOf } from '@millrace/query-language/testing/schema-of.ts';
import {
  materializableCase,
  type MaterializableCase,
} from '@millrace/query-language/testing/generated-materializable.ts';
import type { Statement } from '@millrace/query-language/tree/statements.ts';
import type { QueryValue } from '@millrace/query-language/values.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openResultStore, type ResultStore } from '../test/stored-result.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// A run that reads the table of a version has the rows of a run of its query: for generated endpoints, events and values.
let tenant: TestTenant;
let results: ResultStore;
/** Runs that were compared, and those that the plan leaves to the query itself. */
const counts = { compared: 0, inline: 0 };

beforeAll(async () => {
  tenant = await openTenant();
  results = openResultStore(tenant);
});
afterAll(async () => {
  await results?.close();
  await tenant?.close();
});

const learned = schemaOf({ event: { n: 'Numeric', flag: 'Boolean', plan: 'String' } });

const seedsOfBatch = 40;
test.each(Array.from({ length: 12 }, (_, batch) => batch * seedsOfBatch))(
  `${seedsOfBatch} endpoints from seed %i`,
  async (first) => {
    for (let seed = first; seed < first + seedsOfBatch; seed++) {
      await expectSameAnswers(seed, {});
      await expectSameAnswers(seed, { schema: learned });
    }
  },
  120_000,
);

test('most runs are of the table', () => {
  expect(counts.compared).toBeGreaterThan(2_000);
  expect(counts.inline).toBeLessThan(counts.compared / 2);
});

async function expectSameAnswers(seed: number, settings: PlaceholderValues): Promise<void> {
  const made = materializableCase(seed);
  const team = randomTeamId();
  await tenant.insert({ events: made.events.map((event, place) => rowOf(team, event, place)) });
  const tree = parseSelect(made.sql);
  const variables = made.variables.map(({ code_name: name, type }) => ({ name, type }));
  const planned = planMaterialization(tree, variables, made.bucket_overrides);
  if (!planned.ok) {
    // A refusal of the planner is for its own tests; here it must not be the rule.
    expect([made.sql, planned.refusal.code]).toEqual([made.sql, 'aggregate_not_reaggregatable']);
    return;
  }
  const { plan } = planned;
  const table = await results.store(team, compileStored(plan.build, settings));
  for (const run of made.runs) await expectSameRun(team, made, plan, table, run, settings);
}

async function expectSameRun(
  team: number,
  { sql, variables, bucket_overrides }: MaterializableCase,
  plan: MaterializationPlan,
  table: StoredTable,
  run: MaterializableCase['runs'][number],
  settings: PlaceholderValues,
): Promise<void> {
  const given = variables.map(({ code_name, type, default_value }): [string, QueryValue] => {
    const value = Object.hasOwn(run, code_name) ? (run[code_name] ?? null) : default_value;
    if (value === null) return [code_name, null];
    return [code_name, type === 'Date' ? new Date(String(value)) : type === 'String' ? String(value) : value];
  });
  const values = { ...settings, variables: Object.fromEntries(given) };
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const isServed = plan.keys.every((key) =>
    servesValue(key, valueOf(run, variables, key.variable), types.get(key.column)),
  );
  if (!isServed) {
    counts.inline += 1;
    return;
  }
  const stored = await answer(team, plan.read('t'), { ...values, stored: { t: table } });
  if (plan.emptyMeansInline && stored.length === 0) {
    counts.inline += 1;
    return;
  }
  counts.compared += 1;
  expect({ sql, bucket_overrides, run, rows: stored }).toEqual({
    sql,
    bucket_overrides,
    run,
    rows: await answer(team, parseSelect(sql), values),
  });
}

function valueOf(run: MaterializableCase['runs'][number], variables: MaterializableCase['variables'], name: string) {
  return Object.hasOwn(run, name) ? run[name] : variables.find(({ code_name }) => code_name === name)?.default_value;
}

async function answer(
  team: number,
  tree: Statement,
  values: Parameters<ReturnType<typeof prepareStatement>['print']>[0],
): Promise<unknown[]> {
  const { sql, params } = prepareStatement(tree).print(values, { rowsMax: 1_000 });
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
