import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileTexts } from '@millrace/query-language/testing/hostile-corpus.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

type Body = ReplyBody & { results: string[][] };
let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}`;
  const event = (name: string, timestamp: string, properties: object, email?: string) => ({
    team_id: acme.projectId,
    event: name,
    timestamp: `${timestamp}.000000`,
    properties,
    ...(email !== undefined && { person_properties_text: JSON.stringify({ email }), person_properties: { email } }),
  });
  await api.insertEvents([
    event(
      'a',
      '2026-03-01 12:00:00',
      { plan: 'Pro', amount: 5, at: '2026-01-31T23:30:00Z', paid: true },
      'a@us.example',
    ),
    event('b', '2026-03-02 12:00:00', { plan: 'free', amount: '12.5', at: '2026-02-01' }, 'b@them.example'),
    event('c', '2026-03-02 23:30:00', { amount: 100, plan: null }),
    event('hostile', '2026-03-05 00:00:00', Object.fromEntries(hostileTexts.map((text) => [text, text]))),
  ]);
});
afterAll(() => api?.stop());

const send = (method: 'post' | 'patch' | 'get', path: string, body?: object) => {
  const made = api.as(acme.key).send<Body>(method, path);
  return body === undefined ? made : made.send(body);
};
const hogql = (
  filters?: object,
  sql = "SELECT event FROM events WHERE {filters} AND event != 'hostile' ORDER BY event",
) => ({ kind: 'HogQLQuery', query: sql, ...(filters && { filters }) });
const found = async (filters?: object, sql?: string): Promise<string> => {
  const { status, body } = await send('post', `${base}/query`, { query: hogql(filters, sql) });
  return status === 200 ? body.results.map(([event]) => event).join('') : `${status}: ${body.detail}`;
};

describe('{filters} shows the rows that the filters leave, and no others (contract/endpoints 2.1)', () => {
  test.each<[object | undefined, string]>([
    [undefined, 'abc'],
    [{}, 'abc'],
    [{ dateRange: { date_from: '2026-03-02', date_to: '2026-03-02' } }, 'bc'],
    [{ dateRange: { date_to: '2026-03-02T12:00:00Z' } }, 'ab'],
    [{ dateRange: { date_from: '-200y', date_to: '-1000M' } }, 'abc'],
    [{ properties: [{ key: 'plan', value: 'Pro' }] }, 'a'],
    [{ properties: [{ key: 'plan', value: ['Pro', 'free'], operator: 'exact', type: 'event' }] }, 'ab'],
    [{ properties: [{ key: 'plan', value: 'Pro', operator: 'is_not' }] }, 'bc'],
    [{ properties: [{ key: 'plan', value: 'PR', operator: 'icontains' }] }, 'a'],
    [{ properties: [{ key: 'plan', value: '%', operator: 'icontains' }] }, ''],
    [{ properties: [{ key: 'plan', value: 'pro', operator: 'not_icontains' }] }, 'bc'],
    [{ properties: [{ key: 'plan', value: '^f', operator: 'regex' }] }, 'b'],
    [{ properties: [{ key: 'plan', value: '^f', operator: 'not_regex' }] }, 'ac'],
    [{ properties: [{ key: 'plan', operator: 'is_set' }] }, 'ab'],
    [{ properties: [{ key: 'plan', operator: 'is_not_set' }] }, 'c'],
    [{ properties: [{ key: 'amount', value: '12.5', operator: 'gte' }] }, 'bc'],
    [{ properties: [{ key: 'amount', value: 12.5, operator: 'lt' }] }, 'a'],
    [{ properties: [{ key: 'amount', value: 12.5 }] }, 'b'],
    [{ properties: [{ key: 'amount', value: [5, 12.5], operator: 'between' }] }, 'ab'],
    [{ properties: [{ key: 'amount', value: [5, 12.5], operator: 'not_between' }] }, 'c'],
    [{ properties: [{ key: 'paid', value: true }] }, 'a'],
    [{ properties: [{ key: 'at', value: '2026-01-31', operator: 'is_date_exact' }] }, 'a'],
    [{ properties: [{ key: 'at', value: '2026-01-31', operator: 'is_date_after' }] }, 'b'],
    [{ properties: [{ key: 'at', value: '2026-02-01', operator: 'is_date_before' }] }, 'a'],
    [{ properties: [{ key: 'email', value: 'them', operator: 'icontains', type: 'person' }] }, 'b'],
    [{ properties: [{ key: 'event', value: ['a', 'c'], type: 'event_metadata' }] }, 'ac'],
    [
      {
        properties: {
          type: 'OR',
          values: [
            { key: 'plan', value: 'Pro' },
            { type: 'AND', values: [{ key: 'amount', value: 50, operator: 'gt' }] },
          ],
        },
      },
      'ac',
    ],
    [{ properties: [{ key: 'k', value: 'v', type: 'cohort' }] }, '400: Filters of type "cohort"'],
    [{ properties: [{ key: 'team_id', value: '1', type: 'event_metadata' }] }, '400: Unknown column "team_id"'],
    [{ dateRange: { date_from: '7 days' } }, '400: "7 days" in query.filters.dateRange.date_from is not a time'],
  ])('%j: %s', async (filters, events) =>
    expect((await found(filters)).slice(0, Math.max(events.length, 3))).toBe(events),
  );

  test('filters that the SQL has no place for are refused, not left out', async () => {
    expect(await found({ properties: [{ key: 'plan', value: 'Pro' }] }, 'SELECT event FROM events')).toMatch(
      /^400: .*\{filters\}/,
    );
  });

  test('a hostile key or value is a text, and finds exactly what holds it', async () => {
    for (const text of hostileTexts) {
      const sql = 'SELECT event FROM events WHERE {filters}';
      expect([text, await found({ properties: [{ key: text, value: text }] }, sql)]).toEqual([text, 'hostile']);
      expect([text, await found({ properties: [{ key: text, value: 'x' }] }, sql)]).toEqual([text, '']);
      expect([text, await found({ properties: [{ key: text, value: text, operator: 'icontains' }] }, sql)]).toEqual([
        text,
        'hostile',
      ]);
    }
  });

  test('a saved endpoint keeps its filters, and applies them at each run', async () => {
    const filters = { dateRange: { date_from: '2026-03-02' }, properties: [{ key: 'plan', operator: 'is_set' }] };
    const created = await send('post', `${base}/endpoints`, { name: 'filtered', query: hogql(filters) });
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({ query: expect.objectContaining({ filters }) }),
    ]);
    expect((await send('post', `${base}/endpoints/filtered/run`, {})).body.results).toEqual([['b']]);
    const refused = await send('post', `${base}/endpoints`, {
      name: 'unfit',
      query: hogql({ properties: [{ key: 'k' }] }),
    });
    expect([refused.status, refused.body.attr]).toEqual([400, 'query']);
  });

  test("filterTestAccounts leaves out the project's own people, by its settings at that time", async () => {
    const filters = { filterTestAccounts: true };
    expect(await found(filters)).toBe('abc');
    expect((await send('post', `${base}/endpoints`, { name: 'own_people', query: hogql(filters) })).status).toBe(201);
    const kept = async () => (await send('post', `${base}/endpoints/own_people/run`, {})).body.results.flat().join('');
    expect(await kept()).toBe('abc');
    const set = await send('patch', base, {
      test_account_filters: [{ key: 'email', value: '@us.example', operator: 'not_icontains', type: 'person' }],
    });
    expect([set.status, set.body]).toEqual([
      200,
      expect.objectContaining({ test_account_filters: [expect.objectContaining({ key: 'email' })] }),
    ]);
    expect(await found(filters)).toBe('bc');
    expect(await kept()).toBe('bc');
    expect(await found({ filterTestAccounts: false })).toBe('abc');
    for (const bad of [
      { key: 'email', operator: 'looks_like' },
      { type: 'hogql', key: 'count() > 1' },
      { type: 'hogql', key: 'nope = 1' },
      { type: 'session', key: '$nope', value: 1 },
      { key: 'team_id', value: 1, type: 'event_metadata' },
    ]) {
      const { status, body } = await send('patch', base, { test_account_filters: [bad] });
      expect([bad, status, body.attr]).toEqual([bad, 400, 'test_account_filters']);
    }
    const expression = [{ type: 'hogql', key: "person.properties.email not like '%@them.example'" }];
    expect((await send('patch', base, { test_account_filters: expression })).status).toBe(200);
    expect(await found(filters)).toBe('ac');
  });
});
