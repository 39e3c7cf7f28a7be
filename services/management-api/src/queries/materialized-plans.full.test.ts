import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { servesValue } from '@millrace/query-language/materialization/keys/serves-value.ts';
import { planMaterialization } from '@millrace/query-language/materialization/plan-materialization.ts';
import type { MaterializationPlan, PlannedVariable } from '@millrace/query-language/materialization/plan.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import { schemaOf } from '@millrace/query-language/testing/schema-of.ts';
import type { Statement } from '@millrace/query-language/tree/statements.ts';
import type { QueryValue } from '@millrace/query-language/values.ts';
import type { ValueType } from '@millrace/query-language/types.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// A plan's build and read answer as the query itself does, whatever the values: here the build is a sub-query of the read.
const team = randomTeamId();
const seed = Date.now() % 2 ** 31;
const valuesEach = 12;
let tenant: TestTenant;

const texts = [
  '',
  'pro',
  'free',
  'Ünï',
  '1',
  '1.0',
  '01',
  '5',
  '5.0',
  '-0',
  '0',
  'true',
  'false',
  "o'",
  'a,b',
  'pro,1',
  '%r%',
];
const days = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-03-06T00:00:00Z', '2026-03-07 00:00:00', '2026-03-20'];
const property = fc.constantFrom<unknown>(...texts, null, 1, 5, 2.25, 0, -1, true, false, undefined, undefined, [1], {
  a: 1,
});
const sentEvents = fc.record({
  event: fc.constantFrom('a', 'b', 'c', 'ab'),
  distinct_id: fc.constantFrom('ann', 'bob', 'cyd'),
  hours: fc.integer({ min: 0, max: 167 }),
  plan: property,
  renewal: fc.oneof(property, fc.constantFrom(...days, '2026-03-01T00:00:00Z', '2026-03-02 00:00:00')),
  // Numbers, by which rows are ordered: the engine's order of 0 and -0 depends on how many rows it has.
  price: fc.oneof(
    property.map((value) => (value === '-0' ? '0' : value)),
    fc.integer({ min: -8, max: 40 }).map((quarters) => quarters / 4),
  ),
});

/** Values by the first letters of a variable's name, with the type that is declared. */
const kinds: readonly [prefix: string, type: PlannedVariable['type'], values: readonly unknown[]][] = [
  ['event', 'String', ['a', 'b', 'ab', 'zz', '', 'a%', null]],
  ['text', 'String', [...texts, null]],
  ['any', 'Any', [...texts, 1, 5, 0, true, null]],
  ['num', 'Number', [1, 5, 2.25, 0, -1, 7, 10]],
  ['bool', 'Boolean', [true, false]],
  ['day', 'Date', days],
];

const queries = [
  'SELECT count() AS total FROM events WHERE event = {variables.event}',
  'SELECT count(), sum(properties.price), min(properties.price), max(timestamp) FROM events WHERE properties.plan = {variables.text}',
  'SELECT event, count() AS c FROM events WHERE properties.plan = {variables.any} GROUP BY event ORDER BY c DESC, event LIMIT 2',
  'SELECT uniq(distinct_id), any(event) FROM events WHERE properties.price = {variables.num}',
  'SELECT uniq(distinct_id), groupUniqArray(event) FROM events WHERE properties.plan = {variables.any}',
  'SELECT uniq(distinct_id), avg(toFloat(properties.price)) FROM events WHERE properties.plan = {variables.text} AND event = {variables.event}',
  'SELECT event, uniq(distinct_id) AS u FROM events WHERE properties.renewal = {variables.day} GROUP BY event',
  'SELECT uniq(distinct_id) AS u, count() FROM events WHERE toDate(properties.renewal) = {variables.day}',
  'SELECT uniq(distinct_id) FROM events WHERE toString(properties.price) = {variables.num}',
  'SELECT properties.renewal AS r, uniq(event) AS u FROM events WHERE properties.renewal = {variables.day} GROUP BY r',
  'SELECT event, uniq(distinct_id) AS u FROM events WHERE properties.plan = {variables.text} GROUP BY event HAVING u > 1 ORDER BY u, event',
  'SELECT count() FROM events WHERE properties.price = {variables.num}',
  'SELECT count() FROM events WHERE properties.price >= {variables.num}',
  'SELECT count() FROM events WHERE properties.price >= {variables.text}',
  'SELECT count() FROM events WHERE properties.plan = {variables.bool}',
  'SELECT toDate(timestamp) AS day, count() AS n, round(sum(toFloat(properties.price)) / count(), 2) AS mean FROM events WHERE timestamp >= {variables.day1} AND timestamp < {variables.day2} GROUP BY day HAVING n > 3 ORDER BY day LIMIT 3 OFFSET 1',
  'SELECT count() AS n, n * 2 AS d, if(n > 0, max(timestamp), NULL) AS last FROM events WHERE timestamp >= {variables.day1} AND event = {variables.event} HAVING d >= 0',
  "SELECT minIf(toHour(timestamp), event = 'a') AS m, maxIf(toHour(timestamp), event = 'b'), countIf(event = 'c') FROM events WHERE timestamp < {variables.day}",
  "SELECT min(length(distinct_id)) FILTER (WHERE event = 'a') AS m, sum(length(event)), min(toHour(timestamp)) FROM events WHERE distinct_id LIKE {variables.text}",
  'SELECT event, min(properties.price), max(properties.plan) FROM events WHERE timestamp >= {variables.day} GROUP BY event',
  'SELECT event FROM events WHERE timestamp >= {variables.day} GROUP BY event',
  'SELECT count() FROM events WHERE timestamp < {variables.day} GROUP BY event ORDER BY event',
  'SELECT lower(event) AS e, count() AS c FROM events WHERE timestamp < {variables.day} GROUP BY event ORDER BY upper(event) DESC',
  'SELECT event, distinct_id, count() FROM events WHERE timestamp >= {variables.day} GROUP BY ALL ORDER BY 3 DESC, 1, 2 LIMIT 4',
  'SELECT properties.plan AS plan, count() AS c FROM events WHERE properties.plan = {variables.text} GROUP BY plan',
  'SELECT properties.plan AS text, count() AS c FROM events WHERE properties.plan = {variables.text} GROUP BY text',
  'SELECT properties.price AS price, count() AS c FROM events WHERE timestamp >= {variables.day} GROUP BY price ORDER BY price, c',
  'SELECT upper(event) AS event, count() AS c FROM events WHERE event = {variables.event} GROUP BY event',
  "SELECT count() FROM events WHERE coalesce({variables.text}, '') = '' OR properties.plan = {variables.text}",
  "SELECT uniq(distinct_id) FROM events WHERE coalesce({variables.text}, '') = '' OR properties.plan = {variables.text}",
  "SELECT event, count() FROM events WHERE coalesce({variables.text}, '') = '' OR properties.plan IN splitByChar(',', {variables.text}) GROUP BY event",
  'SELECT count() FROM events WHERE event NOT LIKE {variables.event} AND properties.plan ILIKE {variables.text}',
  'SELECT count() FROM events WHERE properties.plan NOT LIKE {variables.text}',
  'SELECT count(), max(event) FROM events WHERE toDate(timestamp) = toDate({variables.day}) AND lower(event) = lower({variables.event})',
  'SELECT uniq(event) FROM events WHERE toDate(timestamp) = {variables.day}',
  'SELECT uniq(event) FROM events WHERE toHour(timestamp) = {variables.num}',
  'SELECT event, timestamp, properties.plan FROM events WHERE timestamp >= {variables.day} AND properties.price <= {variables.num} ORDER BY properties.price, timestamp, distinct_id, uuid LIMIT 7',
  'SELECT event FROM events WHERE properties.plan = {variables.any}',
  'SELECT event, event, distinct_id FROM events WHERE event = {variables.event}',
  'SELECT * FROM events WHERE event = {variables.event}',
  'SELECT sum(c) FROM (SELECT properties.price AS p, count() AS c FROM events GROUP BY p) WHERE p = {variables.num}',
  'SELECT uniq(c) FROM (SELECT properties.price AS p, count() AS c FROM events GROUP BY p) WHERE p = {variables.any}',
  'SELECT toStartOfDay(timestamp) AS day, count() AS c FROM events WHERE timestamp >= {variables.day1} AND timestamp < {variables.day2} GROUP BY day ORDER BY day WITH FILL STEP INTERVAL 1 DAY',
  'WITH a AS (SELECT event, distinct_id FROM events WHERE event = {variables.event}) SELECT count() FROM a',
  'WITH a AS (SELECT event, distinct_id, timestamp FROM events WHERE timestamp >= {variables.day}) SELECT distinct_id, count() AS c FROM a GROUP BY distinct_id ORDER BY c, distinct_id',
  'WITH a AS (SELECT distinct_id, count() AS c FROM events WHERE properties.plan = {variables.any} GROUP BY distinct_id) SELECT avg(c), max(c) FROM a',
  'WITH a AS (SELECT properties.price AS n, count() AS c FROM events WHERE properties.price = {variables.num} GROUP BY n) SELECT avg(c) FROM a',
  'SELECT properties.price AS num, uniq(event) AS u FROM events WHERE properties.price = {variables.num} GROUP BY num ORDER BY num',
  'SELECT properties.plan AS p, event, count(distinct_id) AS u FROM events WHERE properties.plan = {variables.any} AND properties.price >= {variables.num} GROUP BY p, event, properties.price',
  'SELECT count() FROM events WHERE lower(properties.plan) = {variables.text} AND properties.plan LIKE {variables.any}',
  "SELECT sumIf(toFloat(properties.price), event = 'a') / countIf(event = 'a') AS r, max(properties.price) FROM events WHERE properties.plan LIKE {variables.any}",
  'SELECT max(toDate(timestamp)), min(distinct_id) FROM events WHERE event = {variables.event} AND properties.plan = {variables.text}',
  'SELECT DISTINCT event FROM events ORDER BY event',
  'SELECT event, timestamp FROM events ORDER BY distinct_id, timestamp, uuid LIMIT 9',
  'WITH a AS (SELECT count() AS c FROM events WHERE event = {variables.event}) SELECT c * 2 FROM a',
  "WITH a AS (SELECT event, distinct_id FROM events WHERE timestamp < {variables.day}), b AS (SELECT event FROM a WHERE distinct_id = 'ann' UNION ALL SELECT event FROM a) SELECT event, count() AS n FROM b GROUP BY event",
  'WITH a AS (SELECT distinct_id, event FROM events WHERE properties.plan = {variables.text}), b AS (SELECT distinct_id AS d, count() AS c FROM a GROUP BY d), x AS (SELECT a.event AS e, b.c AS c FROM a JOIN b ON a.distinct_id = b.d) SELECT e, avg(c) FROM x GROUP BY e',
  'WITH a AS (SELECT * FROM events WHERE event = {variables.event}) SELECT * FROM a',
  'WITH 5 AS five, count() AS total SELECT total * five AS n, sum(five) AS s FROM events WHERE timestamp >= {variables.day}',
];

const variableNames = (query: string): string[] => [
  ...new Set([...query.matchAll(/\{variables\.(\w+)\}/g)].map(([, name = '']) => name)),
];
const kindOf = (name: string) => kinds.find(([prefix]) => name.startsWith(prefix)) as (typeof kinds)[number];

beforeAll(async () => {
  tenant = await openTenant();
  const [events = []] = fc.sample(fc.array(sentEvents, { minLength: 300, maxLength: 300 }), { numRuns: 1, seed });
  await tenant.insert({ events: events.map(rowOf) });
});
afterAll(() => tenant?.close());

interface Sent {
  event: string;
  distinct_id: string;
  hours: number;
  plan: unknown;
  renewal: unknown;
  price: unknown;
}

function rowOf({ event, distinct_id, hours, ...sent }: Sent) {
  const timestamp = new Date(Date.UTC(2026, 2, 1, hours)).toISOString().slice(0, 19).replace('T', ' ');
  const known = Object.entries(sent).filter(([, value]) => value !== undefined);
  return {
    team_id: team,
    uuid: crypto.randomUUID(),
    event,
    distinct_id,
    timestamp,
    created_at: timestamp,
    person_id: '00000000-0000-0000-0000-000000000000',
    person_mode: 'full',
    person_properties_text: '{}',
    person_properties: {},
    properties_text: JSON.stringify(Object.fromEntries(known)),
    properties: Object.fromEntries(
      known.map(([name, value]) => [name, typeof value === 'string' || value === null ? value : JSON.stringify(value)]),
    ),
  };
}

const learned = schemaOf({ event: { price: 'Numeric', plan: null } });

type Values = Readonly<Record<string, string | number | boolean | null>>;

// A run binds a Date as a time.
function boundOf(variables: Values): Readonly<Record<string, QueryValue>> {
  const entries = Object.entries(variables).map(([name, value]): [string, QueryValue] => [
    name,
    kindOf(name)[1] === 'Date' ? new Date(`${String(value).slice(0, 10)}T00:00:00Z`) : value,
  ]);
  return Object.fromEntries(entries);
}

async function rowsOf(tree: Statement, variables: Values, schema: typeof learned | undefined): Promise<string[]> {
  const compiled = prepareStatement(tree).print({ variables: boundOf(variables), schema }, { rowsMax: 10_000 });
  const answer = await tenant.send(team, { sql: `${compiled.sql} FORMAT JSONCompactEachRow`, params: compiled.params });
  const rows = answer.split('\n').filter((row) => row !== '');
  return [compiled.columns.map(({ name }) => name).join(), ...(/ORDER BY/.test(compiled.sql) ? rows : rows.sort())];
}

async function outcomeOf(tree: Statement, variables: Values, schema: typeof learned | undefined) {
  try {
    return await rowsOf(tree, variables, schema);
  } catch (error) {
    return [`${(error as Error).name}: ${(error as Error).message.slice(0, 60)}`];
  }
}

function overBuild({ read, build }: MaterializationPlan): Statement {
  const tree = read('t');
  const from = tree.select_from as NonNullable<typeof tree.select_from>;
  return { ...tree, select_from: { ...from, table: build, alias: 't' } };
}

/** The type of a stored column, as far as it is told apart here. */
function typeIn(build: Statement, column: string, schema: typeof learned | undefined): ValueType | undefined {
  const { columns } = prepareStatement(build).print({ schema }, { rowsMax: 1 });
  return columns.find(({ name }) => name === column)?.type === 'float' ? { kind: 'float', nullable: true } : undefined;
}

describe('a plan answers as its query', () => {
  test.each(queries)('%s', async (query) => {
    const names = variableNames(query);
    const variables = names.map((name) => ({ name, type: kindOf(name)[1] }));
    const tree = parseSelect(query);
    const planned = planMaterialization(tree, variables, null);
    expect(planned).toMatchObject({ ok: true });
    if (!planned.ok) return;
    const { plan } = planned;
    const given = fc.sample(
      fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...kindOf(name)[2])]))),
      { numRuns: valuesEach, seed },
    ) as Values[];
    let compared = 0;
    for (const values of given)
      for (const schema of [undefined, learned]) {
        const serves = plan.keys.every((key) =>
          servesValue(key, values[key.variable], typeIn(plan.build, key.column, schema), 'UTC'),
        );
        if (!serves) continue;
        const expected = await outcomeOf(tree, values, schema);
        const answer = await outcomeOf(overBuild(plan), values, schema);
        if (plan.emptyMeansInline && answer.length === 1) continue;
        compared += 1;
        expect({ seed, query, values, schema: schema && 'learned', rows: answer }).toEqual({
          seed,
          query,
          values,
          schema: schema && 'learned',
          rows: expected,
        });
      }
    expect({ query, compared: compared > 0 }).toEqual({ query, compared: true });
  });
});
