import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { insightKinds } from '../insight-kinds.ts';
import type { InsightKind } from '../insight-kind.ts';
import { runInsight } from '../testing/run-insight.ts';
import { compileInsight } from '../testing/compile-insight.ts';
import { definitionWith } from '../testing/definition-with.ts';
import { textFieldsOf } from '../testing/text-fields.ts';
import { typicalDefinitions } from '../testing/typical-definitions.ts';
import { wallCases, type WallCase } from '../testing/wall-cases.ts';
import { othersRows, ownRows } from '../testing/wall-rows.ts';

// Walls between projects: a statement names logical tables alone, and the row policy of the tenant holds each of them. The compiler writes
// no condition on the project. `own` and `alone` have the same rows, and `other` has more of the same keys, which no answer to `own` may show.
const own = randomTeamId();
const [other, alone] = [own + 1, own + 2];
const secret = 'SECRET-OF-THE-OTHER';

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  for (const rows of [ownRows(own), othersRows(other, secret), ownRows(alone)]) await tenant.insert(rows);
});
afterAll(() => tenant?.close());

const cases = wallCases.map((one) => [one.kind.kind, one.more, one] as const);
const definitionOf = ({ kind, more }: WallCase) => ({ ...typicalDefinitions[kind.kind], ...more });
const compiledOf = (one: WallCase) => compileInsight(one.kind, definitionOf(one));

/** Tables that insights read. */
const tables = ['events', 'groups', 'person_contents', 'person_overrides', 'persons'];
const reads = /\bFROM analytics\.(\w+)( FINAL)?/g;
const tablesOf = (sql: string): string[] =>
  [...new Set(Array.from(sql.matchAll(reads), ([, name = '']) => name))].sort();

/** The statement with a condition on the rows of each table. */
const where = (sql: string, conditionOf: (table: string) => string): string =>
  sql.replaceAll(
    reads,
    (_, table: string, final = '') => `FROM (SELECT * FROM analytics.${table}${final} WHERE ${conditionOf(table)})`,
  );

describe('a project is answered from its own rows alone', () => {
  test('the cases read every table that insights read, and no other', () => {
    expect([...new Set(wallCases.flatMap((one) => tablesOf(compiledOf(one).sql)))].sort()).toEqual(tables);
    for (const one of wallCases) {
      const { sql } = compiledOf(one);
      expect(sql.match(/\banalytics\b/g)?.length).toBe(sql.match(reads)?.length);
    }
  });

  test.each(cases)('%s %j', async (_kind, _more, one) => {
    const [ours, theirs, same] = await Promise.all(
      [own, other, alone].map(async (team) => (await runInsight(tenant, team, one.kind, definitionOf(one))).results),
    );
    expect(ours).toEqual(same);
    expect(ours).not.toEqual(theirs);
    expect(JSON.stringify(ours)).not.toContain(secret);
  });

  // The statement itself asks for the rows of all projects.
  test.each(cases)('also when its statement asks for all projects: %s %j', async (_kind, _more, one) => {
    const { sql, params } = compiledOf(one);
    const wide = where(sql, () => `team_id = ${other} OR 1 = 1`);
    expect(wide).not.toBe(sql);
    const [asked, widely] = await Promise.all([sql, wide].map((text) => tenant.send(own, { sql: text, params })));
    expect(widely).toBe(asked);
    expect(widely).not.toContain(secret);
  });
});

describe('the row policy of each table is what keeps the other project out', () => {
  /** Tables whose wall, when it alone is down, changes the answer of a case. */
  const needed = new Map<string, Set<string>>();

  // Without policies, a condition on each table stands in the place of its policy, and is taken away.
  test.each(cases)('%s %j', async (_kind, _more, one) => {
    const { sql, params } = compiledOf(one);
    const past = async (isDown: (table: string) => boolean) =>
      await tenant.sendPastPolicies({
        sql: where(sql, (table) => `team_id IN (${isDown(table) ? `${own}, ${other}` : own})`),
        params,
      });
    const [asked, walled, open] = await Promise.all([
      tenant.send(own, { sql, params }),
      past(() => false),
      past(() => true),
    ]);
    expect(walled).toBe(asked);
    expect(open).not.toBe(asked);
    for (const table of tablesOf(sql))
      if ((await past((name) => name === table)) !== asked)
        needed.set(one.kind.kind, (needed.get(one.kind.kind) ?? new Set()).add(table));
  });

  test.each([...insightKinds.keys()])('%s: each table that it reads has a case that shows it', (kind) => {
    const read = new Set(
      wallCases.filter((one) => one.kind.kind === kind).flatMap((one) => tablesOf(compiledOf(one).sql)),
    );
    expect([...(needed.get(kind) ?? [])].sort()).toEqual([...read].sort());
  });
});

describe('a hostile text is compared as it is, in every field that takes one', () => {
  const hostile = `'"\`\\ {p0:String} {variables.x} -- /* ; \u0000 \u202e 🦊 ') OR 1 = 1 UNION ALL SELECT team_id FROM analytics.events`;
  const texts = [hostile, '(?i)x(', '\\9', "' OR 1 = 1 --", '\0', '\ud800'];

  function compiled(kind: InsightKind, definition: Record<string, unknown>) {
    try {
      return compileInsight(kind, definition);
    } catch (error) {
      if (error instanceof AppError || error instanceof QueryError) return undefined;
      throw error;
    }
  }

  test.each([...insightKinds])(
    '%s',
    async (_, kind) => {
      let asked = 0;
      const failed: unknown[] = [];
      for (const field of textFieldsOf(kind.schema).filter(({ takes }) => takes === 'text'))
        for (const text of texts) {
          const query = compiled(kind, definitionWith(kind, field, text));
          if (query === undefined) continue;
          asked += 1;
          const reply = await tenant.send(own, query).catch(String);
          expect(reply).not.toContain(secret);
          if (/Error|Exception/.test(reply)) failed.push([field.path.join('.'), text, reply.slice(0, 300)]);
        }
      expect(failed).toEqual([]);
      expect(asked).toBeGreaterThan(0);
    },
    60_000,
  );
});
