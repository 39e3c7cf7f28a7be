import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// The promise to authors of charts: rows by name are an ordinary run, cached and counted as any other (contract/decisions 78).
let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi({ QUERY_STREAMS_MAX: '1', QUERY_STREAM_ROWS_MAX: '1' });
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
  await api.insertEvents(
    Array.from({ length: 10 }, (_, n) => ({
      team_id: acme.projectId,
      event: 'mine',
      distinct_id: `d${n}`,
      timestamp: `2026-01-02 03:04:0${n}.000000`,
      properties: { n },
    })),
  );
});
afterAll(() => api?.stop());

let made = 0;
async function save(sql: string): Promise<string> {
  const name = `o${made++}`;
  const { status, body } = await api
    .as(acme.key)
    .send('post', base)
    .send({ name, query: { kind: 'HogQLQuery', query: sql } });
  expect([sql, status, body.detail]).toEqual([sql, 201, undefined]);
  return name;
}
interface Run {
  results: unknown[];
  columns: string[];
  is_cached: boolean;
  hasMore: boolean;
  row_count: number;
  code?: string;
}
const get = (name: string, query: string, process = api.api) =>
  api.as(acme.key, process).send<Run>('get', `${base}/${name}/run${query}`);

const sql = 'SELECT distinct_id AS id, toInt(properties.n) AS n FROM events ORDER BY timestamp';
const objects = Array.from({ length: 10 }, (_, n) => ({ id: `d${n}`, n }));

describe('format=objects', () => {
  test('is an ordinary run whose rows are objects, without types', async () => {
    const name = await save(sql);
    const { types, results, ...usual } = (await get(name, '')).body as unknown as Record<string, unknown>;
    expect([types, results]).toEqual([expect.any(Array), objects.map(({ id, n }) => [id, n])]);
    const { headers, body } = await get(name, '?format=objects');
    expect([headers['content-type'], headers['cache-control'], headers['etag']]).toEqual([
      'application/json',
      expect.stringMatching(/^private, max-age=\d+$/),
      expect.stringMatching(/^W\//),
    ]);
    expect(Object.keys(body).sort()).toEqual([...Object.keys(usual), 'results'].sort());
    expect(body).toMatchObject({ results: objects, columns: ['id', 'n'], hasMore: false, row_count: 10 });
  });

  test('is cached by GET and by POST, apart from rows as lists; its tag gets 304', async () => {
    const name = await save(sql);
    await get(name, '');
    const first = await get(name, '?format=objects');
    const posted = await api.as(acme.key).send<Run>('post', `${base}/${name}/run?format=objects`).send({});
    expect([first.body.is_cached, posted.body.is_cached, posted.body.results]).toEqual([false, true, objects]);
    expect((await get(name, '')).body).toMatchObject({ is_cached: true, results: objects.map(({ id, n }) => [id, n]) });
    const again = await get(name, '?format=objects').set('If-None-Match', String(first.headers['etag']));
    expect([again.status, (await get(name, '').set('If-None-Match', String(first.headers['etag']))).status]).toEqual([
      304, 200,
    ]);
  });

  test.each([
    ['a page', sql, '&limit=3', 3, true],
    ['the last page', sql, '&limit=4&offset=6', 4, false],
    ['a page behind the end', sql, '&limit=4&offset=60', 0, false],
    ['a ceiling of the SQL', `${sql} LIMIT 4`, '&limit=3', 3, true],
    ['the ceiling within a page', `${sql} LIMIT 4`, '&limit=3&offset=3', 1, false],
    ['none', 'SELECT event FROM events WHERE 1 = 2', '', 0, false],
  ])('pages: %s', async (_name, query, page, count, hasMore) => {
    const name = await save(query);
    for (const format of ['json', 'objects']) {
      const { body } = await get(name, `?format=${format}${page}`);
      expect([format, body.results.length, body.row_count, body.hasMore]).toEqual([format, count, count, hasMore]);
    }
  });

  test('has as many rows as other runs, and reports that there are more', async () => {
    const small = await api.startProcess({ QUERY_RESULT_ROWS_MAX: '5' });
    const name = await save(sql);
    for (const page of ['', '&limit=100'])
      expect((await get(name, `?format=objects${page}`, small)).body).toMatchObject({
        results: objects.slice(0, 5),
        hasMore: true,
      });
    await small.stop();
  });

  test('caches 50,000 rows of some columns with the settings of a new system', async () => {
    const name = await save(
      "SELECT number AS day, concat('page ', toString(number)) AS page, number * 7 AS visits, number / 3 AS share, 'a text that every row has' AS note FROM numbers(50000) ORDER BY number",
    );
    const [first, second] = [await get(name, '?format=objects'), await get(name, '?format=objects')];
    expect([first.body.row_count, first.body.is_cached, second.body.is_cached]).toEqual([50_000, false, true]);
    expect(second.body.results).toEqual(first.body.results);
    expect(second.body.results.at(-1)).toMatchObject({ day: 49_999, page: 'page 49999', visits: 349_993 });
  });

  test('has the names of the query, with any characters, each once', async () => {
    const texts = [`length('a "b", c')`, String.raw`length('\\ ${'$'}{1:JSON}')`];
    const odd = await get(await save(`SELECT ${texts.join(', ')}`), '?format=objects');
    expect(odd.body.results).toEqual([{ [texts[0] ?? '']: 8, [texts[1] ?? '']: 11 }]);
    const twins = await get(await save('SELECT event, event FROM events'), '?format=objects');
    expect([twins.status, twins.body.code]).toEqual([400, 'query_error']);
  });

  test('is open to every run token; pages are cut out of a few results', async () => {
    const name = await save(sql);
    const { body: token } = await api
      .as(acme.key)
      .send<{ value: string }>('post', `${base}/${name}/tokens`)
      .send({ label: 'Page', rows_max: 6 });
    const run = async (query: string) =>
      await api.as(token.value).send<Run>('get', `${base}/${name}/run?format=objects${query}`);
    expect((await run('')).body).toMatchObject({ results: objects.slice(0, 6), hasMore: true });
    expect((await run('&limit=2&offset=3')).body).toMatchObject({ results: objects.slice(3, 5), is_cached: true });
    expect((await run('&limit=2&offset=5')).status).toBe(400);
  });

  test('counts as a query, not as a stream', async () => {
    const name = await save(sql);
    await get(name, '?format=objects');
    const metrics = await (await fetch(`${api.api.operationsUrl()}/metrics`)).text();
    expect(metrics).toMatch(/^millrace_api_query_seconds_count\{(?=.*kind="run").*outcome="ok".*\} [1-9]/m);
    expect(metrics).not.toMatch(/^millrace_api_query_seconds_count\{(?=.*kind="stream")/m);
  });
});
