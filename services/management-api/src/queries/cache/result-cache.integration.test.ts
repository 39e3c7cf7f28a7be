import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

let api: TestApi;
let acme: Seed;
let base: string;
let nowMs = Date.now();

beforeAll(async () => {
  api = await startTestApi({ ENDPOINT_FRESHNESS_MIN_SECONDS: '0' }, { clock: { nowMs: () => nowMs } });
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
  await insert(1);
});
afterAll(() => api?.stop());

async function insert(count: number, seed = acme): Promise<void> {
  await api.insertEvents(Array.from({ length: count }, () => ({ team_id: seed.projectId, event: 'counted' })));
}

type Run = ReplyBody & {
  results: number[][];
  is_cached: boolean;
  age_seconds: number;
  last_refresh: string;
  cache_target_age: string;
  execution_id: string;
};
let made = 0;
async function save(sql = 'SELECT count() FROM events', more: object = {}, seed = acme): Promise<string> {
  const name = `c${made++}`;
  const { status, body } = await api
    .as(seed.key)
    .send('post', `/api/projects/${seed.projectId}/endpoints`)
    .send({ name, query: { kind: 'HogQLQuery', query: sql }, ...more });
  expect([status, body]).toEqual([201, expect.objectContaining({ name })]);
  return name;
}
async function run(name: string, body: object = {}, seed = acme) {
  const reply = await api
    .as(seed.key)
    .send<Run>('post', `/api/projects/${seed.projectId}/endpoints/${name}/run`)
    .send(body);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.body;
}
const iso = (ms: number): string => new Date(ms).toISOString();

describe('a result is cached for the freshness of its version (contract/endpoints 4.7)', () => {
  test('and computed again after it; force computes at once, and caches the result', async () => {
    const name = await save(undefined, { data_freshness_seconds: 900 });
    const first = await run(name);
    expect(first).toMatchObject({ is_cached: false, last_refresh: iso(nowMs), cache_target_age: iso(nowMs + 900_000) });
    await insert(1);
    const begunMs = nowMs;
    nowMs += 899_000;
    const second = await run(name);
    expect(second).toMatchObject({
      is_cached: true,
      age_seconds: 899,
      results: first.results,
      last_refresh: iso(begunMs),
      hasMore: false,
    });
    expect(second.execution_id).not.toBe(first.execution_id);
    nowMs += 2_000;
    const third = await run(name);
    expect([third.is_cached, third.age_seconds, third.results]).toEqual([
      false,
      0,
      [[(first.results[0]?.[0] ?? 0) + 1]],
    ]);
    await insert(1);
    const forced = await run(name, { refresh: 'force' });
    expect([forced.is_cached, forced.results]).toEqual([false, [[(first.results[0]?.[0] ?? 0) + 2]]]);
    expect(await run(name)).toMatchObject({ is_cached: true, results: forced.results });
  });

  test('which may be seconds or 0: with 0 each run is computed, and runs at the same time are computed once', async () => {
    const ten = await save(undefined, { data_freshness_seconds: 10 });
    expect((await run(ten)).is_cached).toBe(false);
    nowMs += 9_999;
    expect(await run(ten)).toMatchObject({ is_cached: true, age_seconds: 9 });
    nowMs += 1;
    expect((await run(ten)).is_cached).toBe(false);
    const none = await save(undefined, { data_freshness_seconds: 0 });
    for (let time = 0; time < 2; time++)
      expect(await run(none)).toMatchObject({ is_cached: false, cache_target_age: iso(nowMs) });
    const tagged = await api.as(acme.key).send('get', `${base}/${none}/run`);
    expect(tagged.headers['cache-control']).toBe('private, max-age=0');
    nowMs += 1;
    const again = await api
      .as(acme.key)
      .send('get', `${base}/${none}/run`)
      .set('If-None-Match', String(tagged.headers['etag']));
    expect(again.status).toBe(200);
  });

  test('for the same values, page and version only', async () => {
    const variables = { v: { code_name: 'n', type: 'Number' }, w: { code_name: 'o', value: 1 } };
    const name = await save('', {
      query: {
        kind: 'HogQLQuery',
        query: 'SELECT number + {variables.n} + {variables.o} FROM numbers(5) ORDER BY number',
        variables,
      },
    });
    const asks = [
      { variables: { n: 1 } },
      { variables: { n: 2 } },
      { variables: { n: 1, o: 2 } },
      { variables: { n: 1 }, limit: 2 },
      { variables: { n: 1 }, limit: 2, offset: 1 },
    ];
    for (const ask of asks) expect([ask, (await run(name, ask)).is_cached]).toEqual([ask, false]);
    for (const ask of asks) expect([ask, (await run(name, ask)).is_cached]).toEqual([ask, true]);
    expect((await run(name, { variables: { o: 1, n: 1 } })).is_cached).toBe(true);
    expect((await run(name, { variables: { n: 1 }, limit: 2 })).results).toEqual([[2], [3]]);
    await api
      .as(acme.key)
      .send('patch', `${base}/${name}`)
      .send({ query: { kind: 'HogQLQuery', query: 'SELECT {variables.n} + 100', variables } });
    expect(await run(name, { variables: { n: 1 } })).toMatchObject({ is_cached: false, results: [[101]] });
    expect((await run(name, { variables: { n: 1 }, version: 1 })).is_cached).toBe(true);
  });

  test('with the fact whether there are more rows', async () => {
    const name = await save('SELECT number FROM numbers(3) ORDER BY number');
    for (const isCached of [false, true])
      expect(await run(name, { limit: 2 })).toMatchObject({ is_cached: isCached, results: [[0], [1]], hasMore: true });
  });

  test('debug shows the query that ClickHouse got, if any', async () => {
    const name = await save();
    const asked = await run(name, { debug: true });
    expect(asked).toMatchObject({
      clickhouse: expect.stringContaining('SELECT'),
      cache_key: expect.any(String),
      timings: expect.any(Array),
    });
    expect(await run(name, { debug: true })).toEqual(expect.not.objectContaining({ clickhouse: expect.anything() }));
  });

  test("another project's result of the same SQL is not shown", async () => {
    const other = await api.seed('Other');
    await insert(40, other);
    const [own, theirs] = [await save('SELECT count(), 7'), await save('SELECT count(), 7', {}, other)];
    await run(own);
    expect((await run(theirs, {}, other)).is_cached).toBe(false);
  });

  test('many runs of one query at a time are computed once', async () => {
    const name = await save(
      'SELECT count(), sleepless FROM (SELECT number AS sleepless FROM numbers(3000000)) GROUP BY sleepless ORDER BY sleepless LIMIT 1',
    );
    const runs = await Promise.all(Array.from({ length: 20 }, () => run(name)));
    expect(new Set(runs.map(({ last_refresh: at }) => at)).size).toBe(1);
    expect(runs.every(({ results }) => results.length === 1)).toBe(true);
  });
});

describe('a client can cache the reply to a GET (RFC 9110, 9111)', () => {
  const get = (name: string, headers: Record<string, string> = {}) => {
    const sending = api.as(acme.key).send('get', `${base}/${name}/run`);
    for (const [header, value] of Object.entries(headers)) sending.set(header, value);
    return sending;
  };

  test('the tag of a result gets 304 until there is another result', async () => {
    const name = await save(undefined, { data_freshness_seconds: 900 });
    const first = await get(name);
    const tag = String(first.headers['etag']);
    expect([tag, first.headers['cache-control']]).toEqual([
      expect.stringMatching(/^W\/"[\w-]{27}"$/),
      'private, max-age=900',
    ]);
    nowMs += 100_500;
    const again = await get(name, { 'If-None-Match': `"other", ${tag}` });
    expect([again.status, again.text, again.headers['etag'], again.headers['cache-control']]).toEqual([
      304,
      '',
      tag,
      'private, max-age=799',
    ]);
    expect((await get(name, { 'If-None-Match': '"other"' })).status).toBe(200);
    nowMs += 900_000;
    const later = await get(name, { 'If-None-Match': tag });
    expect([later.status, later.headers['etag'] === tag]).toEqual([200, false]);
  });

  test('but not the reply to force', async () => {
    const name = await save();
    const forced = () => api.as(acme.key).send('get', `${base}/${name}/run?refresh=force`);
    const first = await forced();
    expect(first.headers['cache-control']).toBe('private, no-cache');
    nowMs += 1;
    const again = await forced().set('If-None-Match', String(first.headers['etag']));
    expect([again.status, (again.body as unknown as Run).is_cached]).toEqual([200, false]);
  });

  test('the reply to a POST has no tag', async () => {
    const reply = await api
      .as(acme.key)
      .send('post', `${base}/${await save()}/run`)
      .send({});
    expect(reply.headers).not.toHaveProperty('etag');
  });
});
