import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostileTexts } from '@millrace/query-language/testing/hostile-corpus.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

// Each event is one letter. Types and operators of filters, one by one: which events do they leave?
type Body = ReplyBody & { results: string[][] };
let api: TestApi;
let own: Seed;
let foreign: Seed;

const quote = (text: string): string => text.replaceAll('"', '\\"');
const hostileKeys = [...hostileTexts, '{variables.x}', '100%_%', '\\"ключ"\\;a:', '${x}', '🙂'];
const names = [['ПРИВЕТ, Мир'], ['Straẞe'], ['ΣΊΣΥΦΟΣ'], ['100% sure_thing'], ['a\\b "c"'], [''], [null], [undefined]];

beforeAll(async () => {
  api = await startTestApi();
  own = await api.seed('Own');
  foreign = await api.seed('Foreign');
  const rows = (prefix: string) => [
    ...['1.9.0', '1.10.0', 'v1.10.1-beta', '2', 'unknown', 2.5].map((version, at) => ({
      event: `${prefix}v${at}`,
      properties: { version, n: at, list: ['a', at], object: { at }, flag: at % 2 === 0 },
    })),
    { event: `${prefix}m`, properties: { name: 'ȺX ǅ 𐐀 Ა' } },
    ...names.map(([name], at) => ({ event: `${prefix}n${at}`, properties: { ...(name !== undefined && { name }) } })),
    {
      event: `${prefix}e0`,
      elements_chain:
        'span:nth-child="1"nth-of-type="1"text="Buy; a:now";a.btn.md:flex.small:attr__class="btn small md:flex"attr__data-x="y"attr__href="/buy?x=1"attr__id="go"attr_id="go"href="/buy?x=1"nth-child="2"nth-of-type="1";div.box:nth-child="1"nth-of-type="1";body:nth-child="2"nth-of-type="1"',
    },
    {
      event: `${prefix}e1`,
      elements_chain: 'button.btn-big:nth-child="10"nth-of-type="1"text="Say \\"hi\\";div.btn:";form:attr_id="f"',
    },
    { event: `${prefix}e2`, elements_chain: 'input' },
    {
      event: `${prefix}h`,
      elements_chain: hostileKeys.map((text) => `i:attr__t="${quote(text)}"text="${quote(text)}"`).join(';'),
      properties: { ...Object.fromEntries(hostileKeys.map((text) => [text, text])), hostile: true },
    },
  ];
  await api.insertEvents([
    ...rows('').map((row) => ({ team_id: own.projectId, ...row })),
    ...rows('SECRET').map((row) => ({ team_id: foreign.projectId, ...row })),
  ]);
});
afterAll(() => api?.stop());

/** The events that the conditions leave, or the error. */
async function left(properties: unknown, within = '', sql?: string): Promise<string> {
  const query = sql ?? `SELECT event FROM events WHERE {filters} AND startsWith(event, '${within}') ORDER BY event`;
  const { status, body, text } = await api
    .as(own.key)
    .send<Body>('post', `/api/projects/${own.projectId}/query`)
    .send({ query: { kind: 'HogQLQuery', query, filters: { properties } } });
  expect(text).not.toContain('SECRET');
  return status === 200 ? body.results.map(([event]) => event).join(' ') : `${status}: ${body.detail}`;
}

describe('versions', () => {
  const at = (operator: string, value: unknown) => left([{ key: 'version', operator, value }], 'v');

  test.each([
    ['semver_eq', '1.10', 'v1'],
    ['semver_eq', 'v1.10.1', 'v2'],
    ['semver_eq', '2.0.0', 'v3'],
    ['semver_neq', '1.10.0', 'v0 v2 v3 v4 v5'],
    ['semver_gt', '1.9.0', 'v1 v2 v3 v5'],
    ['semver_gte', '1.10.1', 'v2 v3 v5'],
    ['semver_lt', '1.10.0', 'v0'],
    ['semver_lte', '1.10.0', 'v0 v1'],
    ['semver_tilde', '1.10.0', 'v1 v2'],
    ['semver_tilde', '~1.10.1', 'v2'],
    ['semver_caret', '^1.9.5', 'v1 v2'],
    ['semver_caret', '2.1', 'v5'],
    ['semver_wildcard', '1.*', 'v0 v1 v2'],
    ['semver_wildcard', '1.10.*', 'v1 v2'],
    ['semver_eq', 'latest', '400: The filter of "version" in query.filters.properties needs a version such as 1.2.3'],
    [
      'semver_wildcard',
      '1.2.3',
      '400: The filter of "version" in query.filters.properties needs a version such as 1.2.*',
    ],
    ['semver_eq', ['1.9', '2'], '400: The filter of "version" in query.filters.properties needs one value'],
  ])('%s %j: %s', async (operator, value, events) =>
    expect((await at(operator, value)).slice(0, events.startsWith('400') ? events.length : undefined)).toBe(events),
  );
});

describe('numbers and texts', () => {
  test.each<[object, string]>([
    [{ key: 'n', operator: 'min', value: 4 }, 'v4 v5'],
    [{ key: 'n', operator: 'max', value: '1' }, 'v0 v1'],
    [{ key: 'version', operator: 'gt', value: 1 }, 'v3 v5'],
    [{ key: 'version', operator: 'not_between', value: [0, 2.2] }, 'v5'],
    [{ key: 'version', value: 2.5 }, 'v5'],
    [{ key: 'n', value: ['1', 2.0] }, 'v1 v2'],
    [{ key: 'n', value: '2.0' }, ''],
    [{ key: 'flag', value: true }, 'v0 v2 v4'],
    [{ key: 'flag', value: ['false'] }, 'v1 v3 v5'],
    [{ key: 'list', value: '["a",3]' }, 'v3'],
    [{ key: 'object', value: '{"at":3}' }, 'v3'],
    [{ key: 'list', operator: 'icontains', value: '"A",4' }, 'v4'],
  ])('%j: %s', async (filter, events) => expect(await left([filter], 'v')).toBe(events));

  test.each<[string, unknown, string]>([
    ['exact', '', 'n5'],
    ['is_not', '', 'n0 n1 n2 n3 n4 n6 n7'],
    ['is_set', undefined, 'n0 n1 n2 n3 n4 n5'],
    ['is_not_set', undefined, 'n6 n7'],
    ['icontains', 'привет', 'n0'],
    ['icontains', 'straße', 'n1'],
    ['icontains', 'σίσυφος', 'n2'],
    ['icontains', 'SURE', 'n3'],
    ['icontains', '%', 'n3'],
    ['icontains', '_', 'n3'],
    ['icontains', '0% S', 'n3'],
    ['icontains', '\\', 'n4'],
    ['icontains', '"C"', 'n4'],
    ['icontains', 'мир.', ''],
    ['icontains_multi', ['МИР', 'sure'], 'n0 n3'],
    ['not_icontains', 'привет', 'n1 n2 n3 n4 n5 n6 n7'],
    ['not_icontains_multi', ['МИР', 'sure'], 'n1 n2 n4 n5 n6 n7'],
    ['regex', '^(?i)при', 'n0'],
    ['regex', ['^a', '^S'], 'n1 n4'],
    ['not_regex', '.', 'n5 n6 n7'],
    [
      'regex',
      'a(',
      '400: The filter of "name" in query.filters.properties has the regular expression "a(", which is not valid',
    ],
    ['regex', '(?=a)', '400: The filter of "name" in query.filters.properties has the regular expression "(?=a)"'],
    ['exact', undefined, '400: The filter of "name" in query.filters.properties needs a value'],
    ['exact', null, '400: The filter of "name" in query.filters.properties needs a value'],
    ['exact', [], '400: The filter of "name" in query.filters.properties needs 1 to 1000 values'],
    [
      'is_cleaned_path_exact',
      'a',
      '400: The filter of "name" in query.filters.properties has the operator "is_cleaned',
    ],
    [
      'flag_evaluates_to',
      true,
      '400: The filter of "name" in query.filters.properties has the operator "flag_evaluates',
    ],
  ])('%s %j: %s', async (operator, value, events) =>
    expect(
      (await left([{ key: 'name', operator, value }], 'n')).slice(
        0,
        events.startsWith('400') ? events.length : undefined,
      ),
    ).toBe(events),
  );
});

test.each(['ⱥx', 'ǆ', 'Ǆ', '𐐨', 'ა'])('icontains finds %s in its other case', async (value) =>
  expect(await left([{ key: 'name', operator: 'icontains', value }], 'm')).toBe('m'),
);

describe('clicked elements', () => {
  const element = (key: string, value: unknown, operator = 'exact') =>
    left([{ type: 'element', key, value, operator }], 'e');

  test.each<[string, unknown, string | undefined, string]>([
    ['tag_name', 'a', undefined, 'e0'],
    ['tag_name', 'div', undefined, 'e0'],
    ['tag_name', ['form', 'input'], 'exact', 'e1 e2'],
    ['tag_name', 'a', 'is_not', 'e1 e2'],
    ['tag_name', 'but', undefined, ''],
    ['text', 'Buy; a:now', undefined, 'e0'],
    ['text', 'Say "hi";div.btn:', undefined, 'e1'],
    ['text', 'say', 'icontains', 'e1'],
    ['text', 'say', 'not_icontains', 'e0 e2'],
    ['text', 'Buy; a:now', 'is_not', 'e1 e2'],
    ['text', '1.2', 'semver_neq', 'e0 e1 e2'],
    ['text', undefined, 'is_set', 'e0 e1'],
    ['text', undefined, 'is_not_set', 'e2'],
    ['href', '^/buy', 'regex', 'e0'],
    ['href', '/buy?x=1', 'exact', 'e0'],
    ['href', 5, 'gt', ''],
    ['selector', 'a', undefined, 'e0'],
    ['selector', '.btn', undefined, 'e0'],
    ['selector', 'a.small.btn#go[data-x="y"]:nth-child(2)', undefined, 'e0'],
    ['selector', 'body a', undefined, 'e0'],
    ['selector', 'div.box > a > span', undefined, 'e0'],
    ['selector', 'body > a', undefined, ''],
    ['selector', ['#f', 'input'], undefined, 'e1 e2'],
    ['selector', '.btn', 'is_not', 'e1 e2'],
    ['selector', 'a, b', undefined, '400: The filter of "selector" in query.filters.properties cannot read "a, b"'],
    [
      'selector',
      'a',
      'icontains',
      '400: The filter of "selector" in query.filters.properties has the operator "icontai',
    ],
    [
      'tag_name',
      'a',
      'regex',
      '400: The filter of "tag_name" in query.filters.properties has the operator "regex"; tag',
    ],
    ['tag_name', 'a;b', undefined, '400: The filter of "tag_name" in query.filters.properties cannot read "a;b"'],
    ['id', 'go', undefined, '400: The filter of "id" in query.filters.properties is of type element, whose keys are'],
  ])('%s %j %s: %s', async (key, value, operator, events) =>
    expect((await element(key, value, operator)).slice(0, events.startsWith('400') ? events.length : undefined)).toBe(
      events,
    ),
  );
});

describe('conditions in the query language', () => {
  const hogql = (key: string) => left([{ type: 'hogql', key, value: null, operator: null }], 'v');

  test.each([
    ["properties.version like '1.%'", 'v0 v1'],
    ['properties.n >= 2 and not properties.flag', 'v3 v5'],
    ["event in ('v1', 'n0') or properties.n = -(-2)", 'v1 v2'],
    ["arrayExists(x -> x = event, ['v4'])", 'v4'],
    ["events.event = 'v3'", 'v3'],
    ['true', 'v0 v1 v2 v3 v4 v5'],
    ["properties['version'] = '2' -- the second", 'v3'],
  ])('%s: %s', async (key, events) => expect(await hogql(key)).toBe(events));

  test.each([
    ['count() > 1', 'In the filter "count() > 1": '],
    ['sum(properties.n) over () > 1', 'a window function is not allowed'],
    ['event in (select event from events)', 'a sub-query is not allowed'],
    ['(select 1)', 'found a SELECT'],
    ["event = 'a'; select 1", 'Only one statement'],
    ['event = {variables.x}', 'it has no variables'],
    ['{filters}', 'it has no variables'],
    ["(event as e) = 'a'", 'an alias is not allowed'],
    ["event = 'a' as e", 'no alias'],
    ["event = 'a", 'The expression "event = \'a"'],
    ['team_id = 1', 'In the filter "team_id = 1": Unknown column "team_id"'],
    ['other = 1', 'In the filter "other = 1": Unknown column "other"'],
    ['sleep(3) = 0', 'Unknown function "sleep"'],
    ["event = getSetting('log_comment')", 'Unknown function "getSetting"'],
    ['event', 'In the filter "event": Expected a condition'],
    ["event = any(['a'])", `Did you mean "has(['a'], event)"?`],
    ['', 'needs its condition as key'],
  ])('%s is a 400', async (key, words) => {
    const answer = await hogql(key);
    expect([answer.slice(0, 4), answer]).toEqual(['400:', expect.stringContaining(words)]);
  });

  test('know the row alone: no alias, CTE or other table of the query around them', async () => {
    const condition = [{ type: 'hogql', key: "event = 'v1'" }];
    expect(await left(condition, '', "SELECT 'x' AS event FROM events WHERE {filters}")).toBe('x');
    expect(
      await left(
        condition,
        '',
        'WITH cte AS (SELECT event FROM events) SELECT e.event FROM persons p RIGHT JOIN events e ON e.person_id = p.id WHERE {filters}',
      ),
    ).toBe('v1');
    const outside = [{ type: 'hogql', key: 'event in cte' }];
    expect(await left(outside, '', "WITH cte AS (SELECT 'v1') SELECT event FROM events WHERE {filters}")).toMatch(
      /^400: In the filter "event in cte": Unknown column "cte"/,
    );
    expect(await left(condition, '', 'SELECT countIf({filters}) || 0 FROM events')).toBe('10');
    expect(await left([{ type: 'hogql', key: 'is_identified' }], '', 'SELECT id FROM persons WHERE {filters}')).toBe(
      '',
    );
  });
});

test('an empty filter and a group of none hold for every row; others of no use here are refused by name', async () => {
  const all = 'e0 e1 e2';
  expect(await left([{ type: 'empty' }], 'e')).toBe(all);
  expect(await left({ type: 'OR', values: [] }, 'e')).toBe(all);
  expect(await left({ type: 'AND', values: [{ type: 'OR', values: [] }] }, 'e')).toBe(all);
  expect(await left([{ type: 'feature', key: 'n', value: 1 }], '')).toBe('v1');
  for (const type of [
    'cohort',
    'static-cohort',
    'behavioral',
    'flag',
    'recording',
    'person_metadata',
    'data_warehouse',
  ])
    expect(await left([{ type, key: 'k', value: 'v' }])).toMatch(
      new RegExp(`^400: Filters of type "${type}" are not available here: use event, .* or hogql\\. .+\\.$`),
    );
  expect(await left([{ type: 'group', key: 'k', value: 'v' }])).toContain('needs group_type_index');
  for (const key of ['team_id', 'properties', 'person'])
    expect((await left([{ type: 'event_metadata', key, value: 'v' }])).slice(0, 4)).toBe('400:');
});

test('hostile keys and values are texts in every kind of filter, and find exactly what holds them', async () => {
  for (const text of hostileKeys) {
    const inQuotes = `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
    const filters = [
      { key: text, value: text },
      { key: text, value: text, operator: 'icontains' },
      { key: text, value: 'none', operator: 'icontains' },
      { type: 'element', key: 'text', value: text },
      { type: 'element', key: 'text', value: text, operator: 'icontains' },
      { type: 'element', key: 'href', value: text },
      { type: 'element', key: 'selector', value: `i[t="${text.replaceAll(/["\\]/g, String.raw`\$&`)}"]` },
      { type: 'hogql', key: `properties[${inQuotes}] = ${inQuotes}` },
      { type: 'hogql', key: `properties[${inQuotes}] = 'none'` },
    ];
    const found = await Promise.all(filters.map((filter) => left([filter])));
    expect([text, found]).toEqual([text, ['h', 'h', '', 'h', 'h', '', 'h', 'h', '']]);
  }
});
