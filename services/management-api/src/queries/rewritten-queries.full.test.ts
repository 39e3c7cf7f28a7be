import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileQuery } from '@millrace/query-language/compile.ts';
import {
  rewriteExamples,
  rewriteVariables,
} from '@millrace/query-language/materialization/rewrite/rewrite-examples.ts';
import { rewriteForMaterialization } from '@millrace/query-language/materialization/rewrite/rewrite-for-materialization.ts';
import { variableNames } from '@millrace/query-language/materialization/selects/tree-conditions.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import { noNames, schemaOf, type KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import type { QueryValue } from '@millrace/query-language/values.ts';
import { writeStatement } from '@millrace/query-language/write/write-statement.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// A query that the rewriter suggests selects the same rows, whatever the values (contract/endpoints 6.9).
const own = randomTeamId();
const idOf = (who: number): string => `00000000-0000-4000-8000-00000000000${who}`;
const texts = ['', 'a', 'b', 'A', 'a,b', 'a%', '5'];
// A number, a time, a boolean and a list, each in two forms.
const typedTexts = ['5.0', '2026-03-01', '2026-03-01T00:00:00Z', 'true', 'True', '["a"]', '[ "a" ]'];
const plans = [null, ...texts, ...typedTexts];
const days = ['2026-03-01', '2026-03-02', '2026-03-03'];

const values: Record<string, readonly QueryValue[]> = {
  String: [null, ...texts, ...typedTexts, '%', 'none', 5],
  Number: [null, 0, 1, 2.5, -1],
  Date: [null, ...days, '2026-03-02T12:00:00Z', '2025-01-01'],
};

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert({
    events: texts.flatMap((event, at) => plans.map((plan, place) => eventRow(event, plan, at + place))),
    persons: [0, 1].map((who) => ({
      team_id: own,
      id: idOf(who),
      version: 1,
      created_at: '2026-03-01 00:00:00',
      is_identified: true,
      is_deleted: false,
      ...stored({ plan: plans[who + 1] }),
    })),
  });
});
afterAll(() => tenant?.close());

function stored(properties: Readonly<Record<string, unknown>>) {
  const all = Object.entries(properties).map(([name, value]) => [
    name,
    typeof value === 'string' || value === null ? value : JSON.stringify(value),
  ]);
  return { properties_text: JSON.stringify(properties), properties: Object.fromEntries(all) as object };
}

function eventRow(event: string, plan: string | null, place: number) {
  const timestamp = `${days[place % days.length] ?? ''} 12:00:00`;
  return {
    team_id: own,
    uuid: crypto.randomUUID(),
    event,
    distinct_id: `u${place % 3}`,
    timestamp,
    created_at: timestamp,
    person_id: idOf(place % 3),
    person_mode: 'full',
    person_properties_text: '{}',
    person_properties: {},
    ...stored({ ...(place % 4 === 0 ? {} : { plan }), n: place % 3 === 0 ? null : place % 5 }),
  };
}

/** The rows in any order, or the error. */
async function answerTo(
  text: string,
  variables: Record<string, QueryValue>,
  schema?: ReturnType<typeof schemaOf>,
): Promise<unknown> {
  try {
    const { sql, params } = compileQuery({ text, rowsMax: 1_000, variables, schema });
    const reply = JSON.parse(await tenant.send(own, { sql: `${sql}\nFORMAT JSONCompact`, params })) as {
      data: unknown[][];
    };
    return reply.data.map((row) => JSON.stringify(row)).sort();
  } catch {
    return 'an error';
  }
}

describe('rewritten queries answer as the queries do that they were', () => {
  test.each(rewriteExamples)('$text', async ({ text, becomes }) => {
    const [name = ''] = variableNames(parseSelect(text));
    const type = rewriteVariables.find((variable) => variable.name === name)?.type ?? '';
    const answers = [];
    for (const value of values[type] ?? []) {
      const before = await answerTo(text, { [name]: value });
      answers.push(before);
      // The engine takes no number for empty() and length(); what is written instead of them answers.
      if (before === 'an error') continue;
      expect({ value, answer: await answerTo(becomes, { [name]: value }) }).toEqual({ value, answer: before });
    }
    // Else the values would tell nothing.
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBeGreaterThan(1);
    expect(answers.filter((answer) => answer === 'an error').length).toBeLessThan(answers.length / 2);
  });
});

// Properties of a learned type are compared otherwise behind GROUP BY than before it.
describe('and where the project has learned types', () => {
  const types = ['Numeric', 'DateTime', 'Boolean', 'List'] as const;
  const typed = [
    ...rewriteExamples.map(({ text }) => text),
    'SELECT count() FROM events WHERE properties.plan IN ({variables.v})',
    'SELECT count() FROM events WHERE NOT (properties.plan NOT LIKE {variables.v})',
    "SELECT count() FROM events WHERE {variables.v} IS NULL OR {variables.v} = '' OR properties.plan = {variables.v}",
    'SELECT properties.plan AS p, count() FROM events GROUP BY p HAVING p = {variables.v}',
    'SELECT count() FROM events AS e JOIN persons AS p ON e.person_id = p.id AND e.properties.plan = {variables.v}',
    'SELECT count() FROM events WHERE properties.n IN ({variables.v}) OR NOT properties.plan NOT ILIKE {variables.v}',
    'SELECT sum(c) FROM (SELECT properties.n AS n, properties.plan AS plan, count() AS c FROM events GROUP BY n, plan) WHERE n IN ({variables.n}) AND plan = n OR {variables.n} IS NULL',
    'SELECT sum(c) FROM (SELECT properties.n AS n, count() AS c FROM events GROUP BY n) WHERE n IN ({variables.v})',
  ];

  test.each(typed)('%s', async (text) => {
    const tree = parseSelect(text);
    const [name = ''] = variableNames(tree);
    const type = rewriteVariables.find((variable) => variable.name === name)?.type ?? '';
    const found = rewriteForMaterialization(tree, rewriteVariables, true);
    if (!found) return;
    const becomes = writeStatement(found.tree, { keepNames: true });
    for (const learned of types) {
      const kept: KeptTypes = { event: { plan: learned, n: learned }, person: { plan: learned } };
      const schema = schemaOf(noNames, kept);
      for (const value of values[type] ?? []) {
        const before = await answerTo(text, { [name]: value }, schema);
        if (before === 'an error') continue;
        const answer = await answerTo(becomes, { [name]: value }, schema);
        expect({ learned, value, becomes, answer }).toEqual({ learned, value, becomes, answer: before });
      }
    }
  });
});
