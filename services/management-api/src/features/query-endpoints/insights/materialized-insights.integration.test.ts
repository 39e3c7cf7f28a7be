import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { w1 } from '../../../queries/insights/testing/worked-worlds.ts';
import { rowsOfWorld, type WorldEvent } from '../../../queries/insights/testing/world.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// A materialized insight has the results of an inline run at the moment of its build (contract/insights 13).
let api: TestApi;
let acme: Seed;
let globex: Seed;
/** Moves the clock of the process that is asked. */
let aheadMs = 0;
const dayMs = 86_400_000;

const texts = [
  '',
  'null',
  'Other',
  'ünï ☕',
  'o\'brien \\ "x"',
  '$$_posthog_breakdown_null_$$',
  'pro',
  null,
  undefined,
];
const odd: WorldEvent[] = texts.flatMap((plan, at) =>
  Array.from({ length: 1 + (at % 3) }, (_, again) => ({
    at: `2025-01-0${6 + ((at + again) % 4)} 1${at}:0${again}:00`,
    who: `who-${at % 4}`,
    event: again === 0 ? 'view' : 'buy',
    properties: { ...(plan !== undefined && { plan }), colour: at % 2 === 0 ? 'red' : 'blue', amount: at * 1.25 },
    person: { team: at % 2 === 0 ? 'a' : 'b' },
  })),
);

beforeAll(async () => {
  api = await startTestApi({}, { clock: { nowMs: () => Date.now() + aheadMs } });
  [acme, globex] = [await api.seed('Acme'), await api.seed('Globex')];
  for (const [table, values] of Object.entries(rowsOfWorld(acme.projectId, { events: [...w1, ...odd] })))
    if (values.length > 0) await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(() => api?.stop());

interface Body extends Record<string, unknown> {
  name: string;
  results: { label: string; breakdown_value?: unknown; labels?: string[] }[];
  hasMore: boolean;
}

const send = (method: 'get' | 'post' | 'patch', path: string, body?: object, seed = acme) => {
  const made = api.as(seed.key).send<Body>(method, `/api/projects/${seed.projectId}/endpoints${path}`);
  return body === undefined ? made : made.send(body);
};
const run = (name: string, body: object = {}, seed = acme) =>
  send('post', `/${name}/run`, { debug: true, ...body }, seed);

let created = 0;
async function create(query: object, fields: object = {}, seed = acme): Promise<string> {
  const name = `stored-insight-${++created}`;
  const { status, body } = await send('post', '', { name, query, is_materialized: true, ...fields }, seed);
  expect([status, body]).toEqual([201, expect.objectContaining({ name })]);
  await eventually(
    async () =>
      expect((await send('get', `/${name}/materialization_status`, undefined, seed)).body).toMatchObject({
        ready: true,
        error: '',
      }),
    { deadlineMs: 20_000 },
  );
  return name;
}

/** Results of a run by the table, byte for byte those of the query. */
async function expectSame(name: string, variables: object = {}): Promise<Body['results']> {
  const stored = await run(name, { variables });
  const direct = await run(name, { variables, refresh: 'direct' });
  expect([stored.body['path'], direct.body['path']]).toEqual(['materialized', 'inline']);
  const shown = ({ body }: { body: Body }) => [JSON.stringify(body.results), body.hasMore, body['resolved_date_range']];
  expect(shown(stored)).toEqual(shown(direct));
  return stored.body.results;
}

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const view = { kind: 'EventsNode', event: 'view' };
const buy = { kind: 'EventsNode', event: 'buy' };
const trends = { kind: 'TrendsQuery', series: [view], dateRange };
const byPlan = { breakdownFilter: { breakdown: 'plan' } };
const byPlanAndTeam = { breakdownFilter: { breakdowns: [{ property: 'plan' }, { property: 'team', type: 'person' }] } };
const optional = { optional_breakdown_properties: ['plan'] };
const lifecycle = { kind: 'LifecycleQuery', series: [view], dateRange };
const retention = {
  kind: 'RetentionQuery',
  dateRange,
  retentionFilter: { targetEntity: { id: 'view' }, returningEntity: { id: null }, totalIntervals: 3 },
};

describe('the results of a table are byte for byte those of the query', () => {
  test.each<[string, object]>([
    ['trends', trends],
    ['trends of persons by hour', { ...trends, interval: 'hour', series: [{ ...view, math: 'dau' }] }],
    ['trends by week', { ...trends, interval: 'week' }],
    ['active persons', { ...trends, series: [{ ...view, math: 'weekly_active' }] }],
    ['one total', { ...trends, trendsFilter: { display: 'BoldNumber' } }],
    [
      'numbers, smoothed',
      {
        ...trends,
        series: [{ ...buy, math: 'sum', math_property: 'amount' }],
        trendsFilter: { smoothingIntervals: 3 },
      },
    ],
    [
      'a cumulative line',
      { ...trends, series: [{ ...view, math: 'dau' }], trendsFilter: { display: 'ActionsLineGraphCumulative' } },
    ],
    ['a formula', { ...trends, series: [view, buy], trendsFilter: { formulas: ['A / B', 'B - A'] } }],
    ['a series without events', { ...trends, series: [{ kind: 'EventsNode', event: 'none' }] }],
    ['all events since the first one', { ...trends, dateRange: { date_from: 'all' }, interval: 'month' }],
    ['lifecycle', lifecycle],
    ['retention', retention],
    ['retention, cumulative', { ...retention, retentionFilter: { ...retention.retentionFilter, cumulative: true } }],
    [
      'sums of retention',
      {
        ...retention,
        retentionFilter: { ...retention.retentionFilter, aggregationType: 'avg', aggregationProperty: 'amount' },
      },
    ],
  ])('of %s', async (_name, query) => {
    expect(await expectSame(await create(query))).not.toHaveLength(0);
  });

  test.each<[string, object]>([
    ['trends', { ...trends, ...byPlan }],
    ['trends of two series', { ...trends, series: [view, buy], ...byPlan }],
    ['totals', { ...trends, ...byPlan, trendsFilter: { display: 'ActionsTable' } }],
    ['formulas', { ...trends, series: [view, buy], ...byPlan, trendsFilter: { formula: 'A + B' } }],
    ['retention', { ...retention, ...byPlan }],
    [
      'cumulative retention',
      { ...retention, ...byPlan, retentionFilter: { ...retention.retentionFilter, cumulative: true } },
    ],
  ])('of %s by a breakdown, with a value and without', async (_name, query) => {
    const name = await create(query, optional);
    expect((await expectSame(name)).length).toBeGreaterThan(6);
    for (const plan of ['', 'null', 'Other', 'pro', 'ünï ☕', 'o\'brien \\ "x"', '$$_posthog_breakdown_null_$$'])
      expect(await expectSame(name, { plan })).not.toHaveLength(0);
    expect(await expectSame(name, { plan: "nobody' OR 1" })).toEqual([]);
  });

  test('of several breakdowns, each by its place', async () => {
    const name = await create(
      { ...trends, series: [{ kind: 'EventsNode', event: null }], ...byPlanAndTeam },
      { optional_breakdown_properties: ['plan', 'team'] },
    );
    const all = await expectSame(name);
    const ofTeam = await expectSame(name, { team: 'b' });
    expect(ofTeam.length).toBeLessThan(all.length);
    expect(ofTeam.map(({ breakdown_value: value }) => (value as string[])[1])).toEqual(ofTeam.map(() => 'b'));
    expect(await expectSame(name, { plan: 'pro', team: '' })).toHaveLength(1);
    expect(await expectSame(name, { plan: '', team: 'b' })).toHaveLength(1);
    expect(await expectSame(name, { plan: 'b', team: 'pro' })).toEqual([]);
  });
});

describe('the range is that of the build', () => {
  test('its labels stay when the day is over, and so does the range of debug', async () => {
    const name = await create({ ...trends, dateRange: { date_from: '-2d' } });
    const built = await run(name);
    // Tomorrow, whatever the hour is: a table is fresh for a day.
    aheadMs = dayMs - (Date.now() % dayMs) + 1_000;
    const later = await run(name, { refresh: 'force' });
    expect(later.body).toMatchObject({ path: 'materialized', endpoint_materialized: true });
    expect(JSON.stringify(later.body.results)).toBe(JSON.stringify(built.body.results));
    expect(later.body['resolved_date_range']).toEqual(built.body['resolved_date_range']);
    const direct = await run(name, { refresh: 'direct' });
    expect(direct.body.results[0]?.labels).not.toEqual(built.body.results[0]?.labels);
  });

  test('a table that is too old is not read, and the query has the variables of a materialized one', async () => {
    const name = await create({ ...trends, ...byPlan });
    aheadMs = 25 * 3_600_000;
    expect((await run(name, { variables: { plan: 'pro' } })).body).toMatchObject({ path: 'inline' });
    expect((await run(name)).body).toMatchObject({ code: 'required', attr: 'variables' });
  });
});

describe('variables of a materialized insight', () => {
  test('each breakdown is required, but for an optional one; dates are no variables', async () => {
    const name = await create({ ...trends, ...byPlanAndTeam });
    const missing = await run(name, { variables: { team: 'a' } });
    expect([missing.status, missing.body]).toEqual([
      400,
      expect.objectContaining({ attr: 'variables', detail: expect.stringMatching(/required.*plan/) }),
    ]);
    for (const variables of [
      { plan: 'pro', team: 'a', date_from: '-3d' },
      { plan: null, team: 'a' },
      { plan: ['pro'], team: 'a' },
    ]) {
      const { status, body } = await run(name, { variables });
      expect([status, body]).toEqual([400, expect.objectContaining({ attr: 'variables' })]);
    }
    expect((await send('patch', `/${name}`, optional)).body).toMatchObject(optional);
    expect((await run(name, { variables: { team: 'a' } })).body).toMatchObject({ path: 'materialized' });
    const document = (await send('get', `/${name}/openapi.json`)).body;
    expect(document).toMatchObject({ components: { schemas: { Variables: { required: ['team'] } } } });
    expect(JSON.stringify(document)).not.toContain('date_from":{"nullable":true}');
  });

  test('what another process makes optional is so at once', async () => {
    const name = await create({ ...trends, ...byPlan });
    expect((await run(name)).status).toBe(400);
    await api.prisma.endpointVersion.updateMany({
      where: { endpoint: { name } },
      data: { optionalBreakdownProperties: ['plan'] },
    });
    await eventually(async () => expect((await run(name)).status).toBe(200), { deadlineMs: 1_000 });
  });

  test('an override of the only breakdown stands for it, and is answered by the query', async () => {
    const name = await create({ ...trends, ...byPlan });
    const override = (...properties: object[]) => run(name, { filters_override: { properties } });
    const { body, headers } = await override({ key: 'plan', value: 'pro', type: 'event' });
    expect([body['path'], body.results.map(({ breakdown_value: value }) => value)]).toEqual(['inline', ['pro']]);
    expect(headers['x-posthog-warn']).toMatch(/deprecated/);
    for (const filter of [
      { key: 'colour', value: 'red', type: 'event' },
      { key: 'plan', value: 'pro', operator: 'is_not', type: 'event' },
      { key: 'plan', operator: 'is_set', type: 'event' },
    ])
      expect((await override(filter)).body).toMatchObject({ attr: 'variables', code: 'required' });
  });

  test('optional ones are properties of the breakdown, and those that a new query has stay', async () => {
    for (const [query, names] of [
      [{ ...trends, ...byPlan }, ['colour']],
      [lifecycle, ['plan']],
    ] as const) {
      const { status, body } = await send('post', '', { name: 'wrong', query, optional_breakdown_properties: names });
      expect([status, body]).toEqual([400, expect.objectContaining({ attr: 'optional_breakdown_properties' })]);
    }
    const name = await create(
      { ...trends, ...byPlanAndTeam },
      { optional_breakdown_properties: ['team', 'plan', 'team'] },
    );
    const { body } = await send('patch', `/${name}`, { query: { ...trends, ...byPlan } });
    expect(body).toMatchObject({ current_version: 2, optional_breakdown_properties: ['plan'] });
  });
});

describe('around it', () => {
  test.each<[object, string]>([
    [{ kind: 'FunnelsQuery', series: [view, buy], dateRange }, 'query_type_not_materializable'],
    [{ kind: 'StickinessQuery', series: [view], dateRange }, 'query_type_not_materializable'],
    [{ ...trends, compareFilter: { compare: true } }, 'compare_mode_not_supported'],
  ])('%j cannot be materialized', async (query, code) => {
    const name = `refused-insight-${++created}`;
    const refused = await send('post', '', { name, query, is_materialized: true });
    expect([refused.status, refused.body['attr']]).toEqual([400, 'is_materialized']);
    expect((await send('post', '', { name, query })).status).toBe(201);
    expect((await send('post', `/${name}/materialization_preview`, {})).body).toMatchObject({
      can_materialize: false,
      reason_code: code,
    });
  });

  test('the preview shows no SQL, and the variables that may be left out', async () => {
    const name = await create({ ...trends, ...byPlanAndTeam }, optional);
    expect((await send('post', `/${name}/materialization_preview`, {})).body).toEqual({
      can_materialize: true,
      reason: null,
      reason_code: null,
      transformed_query: null,
      execution_query: null,
      display_execution_query: null,
      range_pairs: [],
      aggregates: [],
      volatile_functions: [],
      optional_variables: ['plan'],
    });
  });

  test('another project reads its own events alone', async () => {
    const name = await create({ ...trends, ...byPlan }, optional, globex);
    expect((await run(name, {}, globex)).body).toMatchObject({ path: 'materialized', results: [] });
    expect((await run(await create(trends), {}, globex)).status).toBe(404);
  });

  test('another filter of test accounts makes the table stale', async () => {
    const seed = await api.seed('Accounts');
    const name = await create({ ...trends, filterTestAccounts: true }, {}, seed);
    expect((await run(name, {}, seed)).body).toMatchObject({ path: 'materialized' });
    await api.prisma.project.update({
      where: { id: seed.projectId },
      data: { testAccountFilters: [{ key: 'plan', value: 'pro', type: 'event' }] },
    });
    expect((await run(name, { refresh: 'force' }, seed)).body).toMatchObject({ path: 'inline' });
  });
});
