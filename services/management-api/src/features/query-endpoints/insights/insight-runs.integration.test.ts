import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowsOfWorld } from '../../../queries/insights/testing/world.ts';
import { w1 } from '../../../queries/insights/testing/worked-worlds.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Endpoints whose query is an insight, from outside (contract/insights 1, 12).
const visit = {
  at: '2025-01-06 10:00:00',
  who: 'eve',
  event: '$pageview',
  session: 's1',
  properties: { $pathname: '=1+1', $current_url: 'https://x.example/' },
};
let api: TestApi;
let acme: Seed;
let globex: Seed;

beforeAll(async () => {
  api = await startTestApi();
  [acme, globex] = [await api.seed('Acme'), await api.seed('Globex')];
  for (const [table, values] of Object.entries(rowsOfWorld(acme.projectId, { events: [...w1, visit] })))
    if (values.length > 0) await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
});
afterAll(() => api?.stop());

const baseOf = ({ projectId }: Seed): string => `/api/projects/${projectId}/endpoints`;
const dateRange = { date_from: '2025-01-06', date_to: '2025-01-10' };
const trends = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'view' }],
  breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
  dateRange,
};
const funnel = {
  kind: 'FunnelsQuery',
  series: [
    { kind: 'EventsNode', event: 'view' },
    { kind: 'EventsNode', event: 'buy' },
  ],
  dateRange,
};

const textOf = (body: unknown): string => Buffer.from(body as Uint8Array).toString();

let made = 0;
async function save(query: object, more: object = {}, seed = acme): Promise<string> {
  const name = `insight-${made++}`;
  const { status, body } = await api
    .as(seed.key)
    .send('post', baseOf(seed))
    .send({ name, query, ...more });
  expect([status, body]).toEqual([201, expect.objectContaining({ name })]);
  return name;
}
const run = (name: string, body: object = {}, query = '', seed = acme) =>
  api
    .as(seed.key)
    .send('post', `${baseOf(seed)}/${name}/run${query}`)
    .send(body);
const get = (name: string, query = '') => api.as(acme.key).send('get', `${baseOf(acme)}/${name}/run${query}`);

interface Series {
  label: string;
  data: number[];
  count: number;
  breakdown_value: string | null;
}
const seriesOf = (body: { results?: unknown }) =>
  (body.results as Series[]).map(({ breakdown_value: value, data }) => [value, data]);

const all = [
  ['pro', [1, 1, 0, 0, 1]],
  ['free', [1, 0, 1, 0, 0]],
  ['team', [0, 0, 0, 1, 0]],
  [null, [0, 1, 0, 1, 0]],
];

describe('an endpoint of an insight', () => {
  test('is kept as it was given, has no columns, and runs', async () => {
    const name = await save(trends);
    const { body: stored } = await api.as(acme.key).send('get', `${baseOf(acme)}/${name}`);
    expect(stored).toMatchObject({ query: trends, columns: [], optional_breakdown_properties: [] });
    const { status, body } = await run(name);
    expect(status).toBe(200);
    expect(seriesOf(body)).toEqual(all);
    expect(body).toMatchObject({ name, endpoint_version: 1, hasMore: false, timezone: 'UTC', is_cached: false });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['columns']));
    expect(body).not.toHaveProperty('types');
    expect(body).not.toHaveProperty('limit');
  });

  test('is cached, and computed again when it is asked to be', async () => {
    const name = await save(funnel);
    const first = await run(name);
    const second = await run(name);
    const forced = await run(name, { refresh: 'force' });
    expect([first, second, forced].map(({ body }) => (body as { is_cached?: boolean }).is_cached)).toEqual([
      false,
      true,
      false,
    ]);
    expect([second.body.results, forced.body.results]).toEqual([first.body.results, first.body.results]);
    expect((first.body.results as unknown as { count: number }[]).map(({ count }) => count)).toEqual([4, 2]);
  });

  test('says its range with debug', async () => {
    const name = await save({ ...trends, compareFilter: { compare: true } });
    const { body } = await run(name, { debug: true });
    expect(body).toMatchObject({
      path: 'inline',
      resolved_date_range: { date_from: '2025-01-06T00:00:00.000000Z', date_to: '2025-01-10T23:59:59.999999Z' },
      resolved_compare_date_range: { date_from: '2025-01-01T00:00:00.000000Z' },
    });
  });

  test('gets a new version by another query, and none by another order of keys', async () => {
    const name = await save(trends);
    const patch = (query: object) =>
      api
        .as(acme.key)
        .send('patch', `${baseOf(acme)}/${name}`)
        .send({ query });
    const { dateRange: range, ...others } = trends;
    expect((await patch({ dateRange: range, interval: null, ...others })).body).toMatchObject({ current_version: 1 });
    expect((await patch({ ...trends, interval: 'week' })).body).toMatchObject({ current_version: 2 });
    expect((await run(name, { version: 1 })).body.results).toHaveLength(4);
  });
});

describe('variables of a run (contract/insights 12)', () => {
  test('the property of a breakdown selects its values, and an empty one those without', async () => {
    const name = await save(trends);
    expect(seriesOf((await run(name, { variables: { plan: 'free' } })).body)).toEqual([['free', [1, 0, 1, 0, 0]]]);
    expect(seriesOf((await run(name, { variables: { plan: '' } })).body)).toEqual([[null, [0, 1, 0, 1, 0]]]);
    expect((await run(name, { variables: { plan: 'none' } })).body.results).toEqual([]);
    expect(seriesOf((await get(name, '?plan=team')).body)).toEqual([['team', [0, 0, 0, 1, 0]]]);
  });

  test('dates: date_from alone ends now, date_to alone keeps the saved start', async () => {
    const name = await save(funnel);
    const counts = async (variables: object) =>
      ((await run(name, { variables })).body.results as unknown as { count: number }[]).map(({ count }) => count);
    expect(await counts({ date_to: '2025-01-06' })).toEqual([2, 1]);
    expect(await counts({ date_from: '2025-01-09' })).toEqual([3, 1]);
  });

  test.each([
    [{ variables: { plan: ['pro'] } }, 'variables', /plan must be a text/],
    [{ variables: { date_from: 'soon' } }, 'variables', /date_from/],
    [
      { variables: { colour: 'red' } },
      'variables',
      /Unknown variables: colour\. Variables here: plan, date_from, date_to/,
    ],
    [{ limit: 5 }, 'limit', /no pages/],
    [{ refresh: 'direct' }, 'refresh', /materialized/],
    [{ filters_override: { colour: 1 } }, 'filters_override', /colour/],
    [{ filters_override: { properties: [{ key: 'plan' }] } }, 'filters_override', /filters_override\.properties/],
  ])('%j is refused', async (body, attr, detail) => {
    const name = await save(trends);
    const response = await run(name, body);
    expect([response.status, response.body]).toEqual([
      400,
      expect.objectContaining({ attr, detail: expect.stringMatching(detail) }),
    ]);
  });

  test('filters_override adds filters and sets dates, with a warning in a header', async () => {
    const name = await save(trends);
    const override = { date_to: '2025-01-06', properties: [{ key: 'n', value: 5, operator: 'gt', type: 'event' }] };
    const response = await run(name, { filters_override: override, variables: { date_to: '2025-01-10' } });
    expect(response.headers['x-posthog-warn']).toMatch(/filters_override/);
    expect(seriesOf(response.body)).toEqual([['pro', [1]]]);
    expect((await run(name)).headers['x-posthog-warn']).toBeUndefined();
  });
});

describe('values of breakdowns that are made (contract/insights 12)', () => {
  const byExpression = (property: string, more: object = {}) => ({
    ...trends,
    breakdownFilter: { breakdowns: [{ property, type: 'hogql', ...more }] },
  });
  const of = async (query: object, variables: object) => {
    const { status, body } = await run(await save(query), { variables });
    expect([status, body]).toEqual([200, expect.anything()]);
    return seriesOf(body);
  };

  test('an expression equals the value, and an empty one is none', async () => {
    const expression = "properties.plan = 'pro'";
    const [no, yes] = [
      [['0'], [1, 1, 1, 2, 0]],
      [['1'], [1, 1, 0, 0, 1]],
    ];
    expect(await of(byExpression(expression), { [expression]: '1' })).toEqual([yes]);
    expect(await of(byExpression(expression), { [expression]: '0' })).toEqual([no]);
    const text = 'concat(properties.plan, event)';
    expect(await of(byExpression(text), { [text]: 'teamview' })).toEqual([[['teamview'], [0, 0, 0, 1, 0]]]);
    expect(await of(byExpression(text), { [text]: '' })).toEqual([]);
  });

  test('a bin of a histogram is picked as it is shown', async () => {
    const bins = { ...trends, breakdownFilter: { breakdown: 'n', breakdown_histogram_bin_count: 2 } };
    const whole = seriesOf((await run(await save(bins))).body);
    expect(whole.map(([value]) => value)).toEqual(['[1,5.5]', '[5.5,10.01]']);
    expect(await of(bins, { n: '[5.5,10.01]' })).toEqual([whole[1]]);
    expect(await of(bins, { n: '5' })).toEqual([]);
  });
});

describe('a breakdown with the name of a member of objects', () => {
  const named = (value: string) => Object.fromEntries([['__proto__', value]]);

  test('runs, and its values are picked in the body and in the URL', async () => {
    const name = await save({ ...trends, breakdownFilter: { breakdown: '__proto__' } });
    const none = [[null, [2, 2, 1, 2, 1]]];
    expect(seriesOf((await run(name)).body)).toEqual(none);
    expect(seriesOf((await run(name, { variables: named('') })).body)).toEqual(none);
    expect((await run(name, { variables: named('x') })).body.results).toEqual([]);
    expect((await get(name, '?__proto__=x')).body.results).toEqual([]);
    expect((await get(name, '?variables[__proto__]=x')).body.results).toEqual([]);
  });

  test('is not pinned by a token that would leave it open', async () => {
    const name = await save({ ...trends, breakdownFilter: { breakdown: '__proto__' } });
    const token = await api
      .as(acme.key)
      .send('post', `${baseOf(acme)}/${name}/tokens`)
      .send({ label: 'Page', variables: named('x') });
    expect([token.status, token.body]).toEqual([400, expect.objectContaining({ attr: 'variables' })]);
  });
});

describe('who may run it', () => {
  test('a run token with a pinned value', async () => {
    const name = await save(trends);
    const token = await api
      .as(acme.key)
      .send('post', `${baseOf(acme)}/${name}/tokens`)
      .send({ label: 'Page', variables: { plan: 'pro' } });
    expect(token.status).toBe(201);
    const reply = await api.as((token.body as { value?: string }).value).send('get', `${baseOf(acme)}/${name}/run`);
    expect(seriesOf(reply.body)).toEqual([['pro', [1, 1, 0, 0, 1]]]);
    const around = await api
      .as((token.body as { value?: string }).value)
      .send('post', `${baseOf(acme)}/${name}/run`)
      .send({ filters_override: { properties: [{ key: 'plan', operator: 'is_set' }] } });
    expect([around.status, around.body]).toEqual([400, expect.objectContaining({ attr: 'filters_override' })]);
    const other = await api
      .as((token.body as { value?: string }).value)
      .send('get', `${baseOf(acme)}/${name}/run?plan=free`);
    expect(other.status).toBe(400);
  });

  test('a run token of first rows: an insight has none, and runs whole', async () => {
    const name = await save(trends);
    const token = await api
      .as(acme.key)
      .send('post', `${baseOf(acme)}/${name}/tokens`)
      .send({ label: 'Page', rows_max: 10 });
    const reply = await api.as((token.body as { value?: string }).value).send('get', `${baseOf(acme)}/${name}/run`);
    expect([token.status, reply.status, seriesOf(reply.body)]).toEqual([201, 200, all]);
  });

  test('another project sees nothing of it', async () => {
    const name = await save(trends, {}, globex);
    expect((await run(name, {}, '', globex)).body.results).toEqual([]);
    expect((await run(await save(trends), {}, '', globex)).status).toBe(404);
  });
});

describe('formats', () => {
  test.each(['csv', 'ndjson', 'objects'])('%s is refused: there are no columns', async (format) => {
    const response = await run(await save(trends), {}, `?format=${format}`);
    expect([response.status, response.body]).toEqual([400, expect.objectContaining({ attr: 'format' })]);
  });

  test('svg is a chart that a page can show by a run token, with nothing that runs', async () => {
    const name = await save(trends);
    const token = await api
      .as(acme.key)
      .send('post', `${baseOf(acme)}/${name}/tokens`)
      .send({ label: 'README' });
    const { value } = token.body as { value?: string };
    const picture = (format: string) =>
      api
        .as(value)
        .send('get', `${baseOf(acme)}/${name}/run?format=${format}`)
        .buffer(true);
    const reply = await picture('svg');
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(reply.headers['content-security-policy']).toMatch(/default-src 'none'/);
    const text = textOf(reply.body);
    expect(text).toMatch(/^<svg [^>]*role="img"/);
    expect(text).toContain('pro');
    expect(textOf((await picture('svg')).body)).toBe(text);
    expect(textOf((await picture('svg-dark')).body)).not.toBe(text);
  });

  test('svg of SQL needs two columns', async () => {
    const sql = (query: string) => save({ kind: 'HogQLQuery', query });
    const good = await get(
      await sql('SELECT event, count() AS events FROM events GROUP BY event ORDER BY event'),
      '?format=svg',
    );
    expect(good.status).toBe(200);
    const bad = await get(await sql('SELECT event, distinct_id, timestamp FROM events'), '?format=svg');
    expect([bad.status, bad.body]).toEqual([400, expect.objectContaining({ attr: 'format' })]);
  });

  test('the OpenAPI document names the variables and no columns', async () => {
    const name = await save(trends);
    const { body } = await api.as(acme.key).send('get', `${baseOf(acme)}/${name}/openapi.json`);
    const { schemas } = (body as { components?: unknown }).components as {
      schemas: Record<string, { properties: object; required: string[] }>;
    };
    expect(Object.keys(schemas['Variables']?.properties ?? {})).toEqual(['plan', 'date_from', 'date_to']);
    expect(schemas['EndpointRunResult']?.required).toEqual(['results', 'hasMore']);
    expect(schemas['Variables']?.properties).toMatchObject({ plan: { type: 'string' } });
    expect(schemas['EndpointRunRequest']?.properties).not.toHaveProperty('limit');
  });
});

describe('a table of web statistics', () => {
  const table = { kind: 'WebStatsTableQuery', properties: [], breakdownBy: 'Page', dateRange };

  test('is streamed by the columns of its reply, formulas made harmless', async () => {
    const name = await save(table);
    const names = ['breakdown_value', 'visitors', 'views', 'ui_fill_fraction', 'cross_sell'].map(
      (column) => `context.columns.${column}`,
    );
    const { body } = await run(name);
    expect([(body as { columns?: string[] }).columns, body.results]).toEqual([
      names,
      [['=1+1', [1, null], [1, null], 1, '']],
    ]);
    expect(body).toMatchObject({ limit: 100, offset: 0 });
    const csv = await run(name, {}, '?format=csv');
    expect(csv.text).toBe(`${names.map((column) => `"${column}"`).join(',')}\n"'=1+1","[1,null]","[1,null]",1,""\n`);
    const lines = await run(name, {}, '?format=ndjson');
    expect(JSON.parse(lines.text)).toEqual(
      Object.fromEntries(names.map((column, at) => [column, ['=1+1', [1, null], [1, null], 1, ''][at]])),
    );
    const objects = await run(name, {}, '?format=objects');
    expect(objects.body.results).toEqual([JSON.parse(lines.text)]);
  });
});

test('a total up to this moment is cached as any other', async () => {
  const name = await save({ ...trends, dateRange: { date_from: '-7d' }, trendsFilter: { display: 'BoldNumber' } });
  await run(name);
  expect((await run(name)).body).toMatchObject({ is_cached: true });
});

describe('a query that is not saved', () => {
  test.each(['projects', 'environments'])('of /api/%s/:id/query has the same results', async (place) => {
    const response = await api
      .as(acme.key)
      .send('post', `/api/${place}/${acme.projectId}/query`)
      .send({ query: trends });
    expect(response.status).toBe(200);
    expect(seriesOf(response.body)).toEqual(all);
  });

  test('is refused by name of the field', async () => {
    const response = await api
      .as(acme.key)
      .send('post', `/api/projects/${acme.projectId}/query`)
      .send({ query: { ...trends, trendsFilter: { colour: 'red' } } });
    expect([response.status, response.body]).toEqual([
      400,
      expect.objectContaining({ attr: 'query', detail: expect.stringContaining('query.trendsFilter.colour') }),
    ]);
  });
});
