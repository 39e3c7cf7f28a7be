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
import { insertWorlds } from '../testing/insert-worlds.ts';
import { textFieldsOf } from '../testing/text-fields.ts';
import { typicalDefinitions } from '../testing/typical-definitions.ts';
import { w1, w2 } from '../testing/worked-worlds.ts';
import type { World } from '../testing/world.ts';

// Walls between projects: only logical tables resolve, and the row policy of the tenant. `own` and `alone` have the same world, and `other`
// has more of the same names, groups and merges, which no answer to `own` may show.
const own = randomTeamId();
const [other, alone] = [own + 1, own + 2];
const secret = 'SECRET-OF-THE-OTHER';

const events = [...w1, ...w2].map((event) => ({ ...event, groups: { 0: event.who } }));
const world: World = { events, groupsCreated: { 0: { ann: '2025-01-06 00:00:00' } } };
const others: World = {
  events: events.flatMap((event) => [
    { ...event, properties: { ...event.properties, plan: secret, $pathname: `/${secret}` } },
    {
      ...event,
      who: `${event.who} of the other`,
      groups: { 0: `${event.who} of the other` },
      person: { word: secret },
    },
  ]),
  merged: { bob: 'ann', cat: 'ann', dee: 'ann' },
  created: { ann: '2024-01-01 00:00:00' },
  groupsCreated: { 0: { ann: '2024-01-01 00:00:00' } },
};

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  await insertWorlds(tenant, [
    { teamId: own, world },
    { teamId: other, world: others },
    { teamId: alone, world },
  ]);
});
afterAll(() => tenant?.close());

const breakdownFilter = { breakdown: 'plan', breakdown_type: 'event' };
const byGroup = { aggregation_group_type_index: 0 };
const ofSession = [{ type: 'session', key: '$session_duration', operator: 'gte', value: 0 }];
const variants: Readonly<Record<string, readonly object[]>> = {
  TrendsQuery: [
    { breakdownFilter },
    { series: [{ kind: 'EventsNode', event: null, math: 'dau' }] },
    { series: [{ kind: 'EventsNode', event: 'view', math: 'first_time_for_user' }] },
    { properties: [{ type: 'group', group_type_index: 0, key: 'x', operator: 'is_not_set' }] },
    {
      breakdownFilter: {
        breakdown: 'event in (select event from events) and person_id in (select id from persons)',
        breakdown_type: 'hogql',
      },
    },
  ],
  FunnelsQuery: [{ breakdownFilter }, byGroup],
  RetentionQuery: [{ breakdownFilter }, byGroup],
  LifecycleQuery: [byGroup],
  WebOverviewQuery: [{ properties: ofSession }],
  WebStatsTableQuery: [{ includeBounceRate: true }],
};
const kinds = [...insightKinds.values()];
const cases = kinds.flatMap((kind) =>
  [{}, ...(variants[kind.kind] ?? [])].map(
    (more) => [kind.kind, more, kind, { ...typicalDefinitions[kind.kind], ...more }] as const,
  ),
);

describe('a project is answered from its own rows alone', () => {
  test.each(cases)('%s %j', async (_kind, _more, kind, definition) => {
    const [ours, theirs, same] = await Promise.all(
      [own, other, alone].map(async (team) => (await runInsight(tenant, team, kind, definition)).results),
    );
    expect(ours).toEqual(same);
    expect(ours).not.toEqual(theirs);
    expect(JSON.stringify(ours)).not.toContain(secret);
  });

  // The compiler's wall is down: the same statement asks for the rows of all projects.
  test.each(cases)('also when its statement asks for all projects: %s %j', async (_kind, _more, kind, definition) => {
    const { sql, params } = compileInsight(kind, definition);
    const wide = sql.replaceAll(
      /FROM analytics\.(events|person_overrides)\b/g,
      `FROM (SELECT * FROM analytics.$1 WHERE team_id = ${other} OR 1 = 1)`,
    );
    expect(wide).not.toBe(sql);
    const [asked, widely] = await Promise.all([sql, wide].map((text) => tenant.send(own, { sql: text, params })));
    expect(widely).toBe(asked);
    expect(widely).not.toContain(secret);
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

  test.each(kinds.map((kind) => [kind.kind, kind] as const))(
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
