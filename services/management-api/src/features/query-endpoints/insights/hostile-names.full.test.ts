import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileNames } from '../../../queries/insights/testing/hostile-names.ts';
import { rowsOfWorld, type WorldEvent } from '../../../queries/insights/testing/world.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Names and values of events that look like SQL, parameters, patterns or members of objects are found as they are, by every field that
// names one, and nothing else is (contract/insights 15). Each text has one event of its own, at its own hour of one day.
const secret = 'SECRET-OF-THE-OTHER';
let api: TestApi;
let own: Seed;
let other: Seed;

const eventsOf = (more: object = {}): WorldEvent[] =>
  hostileNames.map((text, at) => ({
    at: `2025-01-06 ${String(at % 24).padStart(2, '0')}:00:${String(at).padStart(2, '0')}`,
    who: text,
    event: text,
    properties: {
      [text]: text,
      any: text,
      [`n of ${text}`]: at + 1,
      $pathname: text,
      $current_url: `https://x.example/${at}`,
      ...more,
    },
    person: { [text]: text, [`n of ${text}`]: at + 1 },
    session: `session ${text}`,
    groups: { 0: text },
  }));
const world = {
  events: [
    ...eventsOf(),
    ...eventsOf().map((event) => ({ ...event, event: '$pageview', at: event.at.replace(':00:', ':01:') })),
  ],
  groupsCreated: { 0: Object.fromEntries(hostileNames.map((text) => [text, '2025-01-01 00:00:00'])) },
};

async function insert(projectId: number, events: WorldEvent[]): Promise<void> {
  const rows = rowsOfWorld(projectId, { ...world, events });
  const groups = (rows['groups'] as { group_key: string }[]).map((row) => ({
    ...row,
    properties: { [row.group_key]: row.group_key },
    properties_text: JSON.stringify({ [row.group_key]: row.group_key }),
  }));
  for (const [table, values] of Object.entries({ ...rows, groups }))
    if (values.length > 0) await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
}

beforeAll(async () => {
  api = await startTestApi();
  [own, other] = [await api.seed('Own'), await api.seed('Other')];
  await insert(own.projectId, world.events);
  await insert(other.projectId, [...world.events, ...eventsOf({ any: secret, $pathname: secret, secret })]);
});
afterAll(() => api?.stop());

interface Reply {
  results: Record<string, unknown>[];
}

async function ask(query: object): Promise<Reply['results']> {
  const path = `/api/projects/${own.projectId}/query`;
  const { status, body, text } = await api.as(own.key).send<Reply>('post', path).send({ query });
  expect([status, status === 200 ? '' : [query, text]]).toEqual([200, '']);
  expect(text).not.toContain(secret);
  return body.results;
}

const dateRange = { date_from: '2025-01-06', date_to: '2025-01-06' };
const node = { kind: 'EventsNode', event: null };
const trends = { kind: 'TrendsQuery', series: [node], dateRange };
const named = (event: string) => ({ kind: 'EventsNode', event, custom_name: event });

/** The one number of a series that counts a day. */
const total = async (query: object): Promise<unknown> => (await ask({ ...trends, ...query }))[0]?.['count'];
const values = async (breakdownFilter: object) =>
  (await ask({ ...trends, series: [named('$pageview')], breakdownFilter })).map(({ breakdown_value: value, count }) => [
    value,
    count,
  ]);

/** A run token can pin the variable, or is refused: it never leaves it open in silence. */
async function expectPinned(path: string, text: string): Promise<void> {
  const variables = Object.fromEntries([[text, text]]);
  const token = await api.as(own.key).send('post', `${path}/tokens`).send({ label: 'Page', variables });
  if (text === '__proto__') return expect([token.status, token.body.attr]).toEqual([400, 'variables']);
  const { value, variables: pinned } = token.body as { value?: string; variables?: object };
  expect([token.status, pinned]).toEqual([201, variables]);
  const run = await api.as(value).send<Reply>('get', `${path}/run`);
  expect([run.status, run.body.results.length]).toEqual([200, 1]);
  const around = await api.as(value).send('post', `${path}/run`).send({ variables });
  expect([around.status, around.body.attr]).toEqual([400, 'variables']);
}

test('there are enough of them, and each is another', () => {
  expect(new Set(hostileNames).size).toBe(hostileNames.length);
  expect(hostileNames.length).toBeGreaterThan(30);
});

describe.each(hostileNames)('%j', (text) => {
  const filters = (type: string, more: object = {}) => [{ type, key: text, value: text, operator: 'exact', ...more }];

  test('is the name of an event in every kind', async () => {
    const series = [named(text)];
    const [all] = await ask({ ...trends, series });
    expect(all).toMatchObject({ count: 1, label: text, action: { id: text, custom_name: text } });
    const funnel = await ask({ kind: 'FunnelsQuery', series: [...series, named('$pageview')], dateRange });
    expect(funnel.map(({ name, custom_name: custom, count }) => [name, custom, count])).toEqual([
      [text, text, 1],
      ['$pageview', '$pageview', 1],
    ]);
    const entity = { id: text };
    const retentionFilter = { targetEntity: entity, returningEntity: entity, totalIntervals: 1 };
    expect(await ask({ kind: 'RetentionQuery', dateRange, retentionFilter })).toMatchObject([
      { values: [{ count: 1 }] },
    ]);
    const lifecycle = await ask({ kind: 'LifecycleQuery', series, dateRange });
    expect(lifecycle.map(({ label, count }) => [label, count])).toEqual([
      [`${text} - new`, 1],
      [`${text} - returning`, 0],
      [`${text} - resurrecting`, 0],
      [`${text} - dormant`, 0],
    ]);
    expect(await ask({ kind: 'StickinessQuery', series, dateRange })).toMatchObject([{ label: text, data: [1] }]);
    const conversionGoal = { customEventName: text };
    const overview = await ask({ kind: 'WebOverviewQuery', dateRange, properties: [], conversionGoal });
    expect(overview.map(({ key, value }) => [key, value])).toEqual([
      ['visitors', hostileNames.length],
      ['total conversions', 1],
      ['unique conversions', 1],
      ['conversion rate', 100 / hostileNames.length],
    ]);
  });

  test('is an item of paths', async () => {
    const of = async (pathsFilter: object) =>
      (await ask({ kind: 'PathsQuery', dateRange, pathsFilter })).map(({ source, target }) => [source, target]);
    const all = { includeEventTypes: ['custom_event', '$pageview'] };
    const edge = [`1_${text}`, `2_https://x.example/${hostileNames.indexOf(text)}`];
    expect(await of({ ...all, startPoint: text })).toEqual([edge]);
    const others = await of({ ...all, excludeEvents: [text] });
    expect([others.length, others.flat().includes(edge[0])]).toEqual([hostileNames.length - 1, false]);
    const regex = `^${text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)}$`;
    const cleaned = await of({ ...all, localPathCleaningFilters: [{ regex, alias: 'cleaned' }] });
    expect(cleaned.filter(([source]) => source === '1_cleaned')).toEqual([['1_cleaned', edge[1]]]);
  });

  test('is a property to calculate with', async () => {
    const sum = (more: object) => total({ series: [{ ...node, math: 'sum', math_property: `n of ${text}`, ...more }] });
    const number = 2 * (hostileNames.indexOf(text) + 1);
    expect(await sum({})).toBe(number);
    expect(await sum({ math_property_type: 'person_properties' })).toBe(number);
    const entity = { id: text };
    const retentionFilter = {
      targetEntity: entity,
      returningEntity: entity,
      totalIntervals: 1,
      aggregationType: 'sum',
      aggregationProperty: `n of ${text}`,
    };
    expect(await ask({ kind: 'RetentionQuery', dateRange, retentionFilter })).toMatchObject([
      { values: [{ count: 1, aggregation_value: number / 2 }] },
    ]);
  });

  test('is the variable of a run, and its value', async () => {
    const name = `of-name-${hostileNames.indexOf(text)}`;
    const path = `/api/projects/${own.projectId}/endpoints`;
    const query = { ...trends, breakdownFilter: { breakdown: text } };
    const created = await api.as(own.key).send('post', path).send({ name, query });
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ query })]);
    const run = async (value: string) => {
      const variables = Object.fromEntries([[text, value]]);
      const { status, body } = await api.as(own.key).send<Reply>('post', `${path}/${name}/run`).send({ variables });
      return [status, body.results?.map(({ breakdown_value: one, count }) => [one, count])];
    };
    expect(await run(text)).toEqual([200, [[text, 2]]]);
    expect(await run('none')).toEqual([200, []]);
    const inUrl = await api
      .as(own.key)
      .send('get', `${path}/${name}/run?${new URLSearchParams([[text, 'none']]).toString()}`);
    expect([inUrl.status, inUrl.body.results]).toEqual([200, []]);
    await expectPinned(`${path}/${name}`, text);
    expect((await api.as(own.key).send('get', `${path}/${name}/openapi.json`)).status).toBe(200);
    expect((await api.as(own.key).send('get', `${path}/${name}/run?format=svg`)).status).toBe(200);
  });

  test('is a property of events, persons and groups', async () => {
    const found = await Promise.all([
      total({ properties: filters('event') }),
      total({ properties: filters('feature') }),
      total({ properties: filters('person') }),
      total({ properties: filters('group', { group_type_index: 0 }) }),
      total({ properties: [{ type: 'event_metadata', key: 'distinct_id', value: text }] }),
      total({ properties: [{ key: 'any', value: [text], operator: 'exact' }] }),
      total({ properties: [{ key: 'any', value: text, operator: 'is_not' }] }),
      total({ properties: [{ key: text, operator: 'is_set' }] }),
      total({ series: [{ ...node, properties: filters('event') }] }),
      total({ series: [{ ...node, fixedProperties: filters('person') }] }),
    ]);
    expect(found).toEqual([2, 2, 2, 2, 2, 2, 2 * hostileNames.length - 2, 2, 2, 2]);
  });

  test('is a breakdown, alone and in a list', async () => {
    const rest = [null, hostileNames.length - 1];
    const alone = [[text, 1], rest];
    expect(await values({ breakdown: text })).toEqual(alone);
    expect(await values({ breakdown: text, breakdown_type: 'person' })).toEqual(alone);
    expect(await values({ breakdown: text, breakdown_type: 'group', breakdown_group_type_index: 0 })).toEqual(alone);
    expect(await values({ breakdowns: [{ property: text }] })).toEqual(alone.map(([value, count]) => [[value], count]));
  });
});

describe('all of them beside each other', () => {
  const sorted = (texts: readonly unknown[]) => [...texts].sort();

  test('are the values of a breakdown', async () => {
    expect(sorted((await values({ breakdown: 'any' })).map(([value]) => value))).toEqual(sorted(hostileNames));
    const byBoth = await values({ breakdowns: [{ property: 'any' }, { property: 'word', type: 'person' }] });
    expect(byBoth.length).toBe(hostileNames.length);
    const breakdownFilter = { breakdown: 'any' };
    const entity = { id: '$pageview' };
    const retentionFilter = { targetEntity: entity, returningEntity: entity, totalIntervals: 1 };
    const kept = await ask({ kind: 'RetentionQuery', dateRange, retentionFilter, breakdownFilter });
    expect(sorted(kept.map(({ breakdown_value: value }) => value))).toEqual(sorted(hostileNames));
  });

  test('are the pages of a web site', async () => {
    const table = { kind: 'WebStatsTableQuery', properties: [], breakdownBy: 'Page', dateRange, limit: 1_000 };
    const rows = (await ask(table)) as unknown as [string, [number]][];
    expect(sorted(rows.map(([page]) => page))).toEqual(sorted(hostileNames));
    expect(rows.every(([, [visitors]]) => visitors === 1)).toBe(true);
  });
});
