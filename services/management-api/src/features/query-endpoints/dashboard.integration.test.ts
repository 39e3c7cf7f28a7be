import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from '../../app.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// The promise to a page with panels: what it asks for at a time is answered, though more than may run at a time (contract/decisions 79).
let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi({
    QUERY_THREADS_MAX: '1',
    QUERY_RUNNING_PER_KEY_MAX: '4',
    QUERY_RUNNING_PER_PROJECT_MAX: '5',
  });
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
});
afterAll(() => api?.stop());

/** Each value is another query, of some milliseconds. */
const heavy =
  'SELECT {variables.n} AS n, sum(length(arrayFilter(x -> x * number % 700003 = {variables.n}, range(300)))) AS s FROM numbers(3000)';
const endless =
  'SELECT {variables.n}, count() FROM numbers(1000000) a JOIN numbers(700001) b ON 1 = 1 WHERE a.number * b.number = 7';

async function panel(name: string, sql = heavy): Promise<{ path: string; token: string }> {
  const variables = { n: { code_name: 'n', type: 'Number', value: 0 } };
  await api
    .as(acme.key)
    .send('post', base)
    .send({ name, query: { kind: 'HogQLQuery', query: sql, variables } });
  const { body } = await api
    .as(acme.key)
    .send<{ value: string }>('post', `${base}/${name}/tokens`)
    .send({ label: 'Dashboard' });
  return { path: `${base}/${name}/run`, token: body.value };
}

const fetchFrom = (
  process: ManagementApi,
  { path, token }: { path: string; token: string },
  query: string,
  signal?: AbortSignal,
) =>
  fetch(`${process.url}${path}?format=objects&${query}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal && { signal }),
  });

/** Statuses of sixteen runs of the first panel and one of each other, all at a time. */
async function load(process: ManagementApi, panels: { path: string; token: string }[]): Promise<number[]> {
  const asked = panels.flatMap((each, index) =>
    Array.from({ length: index === 0 ? 16 : 1 }, (_, n) => fetchFrom(process, each, `n=${n}`)),
  );
  return (await Promise.all(asked)).map(({ status }) => status);
}

async function waiting(process: ManagementApi): Promise<string | undefined> {
  const text = await (await fetch(`${process.operationsUrl()}/metrics`)).text();
  return /^millrace_api_queries_waiting\{(?=.*kind="run").*\} (\d+)$/m.exec(text)?.[1];
}

describe('a page with five panels, one of which sends sixteen requests at once', () => {
  test('is answered, though four of a token and five of a project run at a time', async () => {
    const panels = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => panel(name)));
    const patient = await api.startProcess({ QUERY_WAIT_MS_MAX: '60000' });
    expect(new Set(await load(patient, panels))).toEqual(new Set([200]));
    // And so it would not be, if nothing waited.
    const impatient = await api.startProcess({ QUERY_WAIT_MS_MAX: '0' });
    expect(new Set(await load(impatient, panels))).toEqual(new Set([200, 429]));
  });

  test('waits no more when it goes away', async () => {
    const busy = await panel('busy', endless);
    const process = await api.startProcess({ QUERY_WAIT_MS_MAX: '60000' });
    const [held, gone] = [new AbortController(), new AbortController()];
    const ask = (n: number, { signal }: AbortController) =>
      fetchFrom(process, busy, `n=${n}`, signal).catch(() => undefined);
    const running = [1, 2, 3, 4].map((n) => ask(n, held));
    await eventually(async () => expect(await runningQueries()).toBe(4));
    const left = [5, 6].map((n) => ask(n, gone));
    await eventually(async () => expect(await waiting(process)).toBe('2'));
    gone.abort();
    await Promise.all(left);
    await eventually(async () => expect(await waiting(process)).toBe('0'));
    held.abort();
    await Promise.all(running);
  });

  test('is refused when its turn does not come in time', async () => {
    const busy = await panel('busier', endless);
    const process = await api.startProcess({ QUERY_WAIT_MS_MAX: '50' });
    const held = new AbortController();
    await eventually(async () => expect(await runningQueries()).toBe(0));
    const running = [1, 2, 3, 4].map((n) => fetchFrom(process, busy, `n=${n}`, held.signal).catch(() => undefined));
    await eventually(async () => expect(await runningQueries()).toBe(4));
    const refused = await fetchFrom(process, busy, 'n=5');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    held.abort();
    await Promise.all(running);
  });
});

async function runningQueries(): Promise<number> {
  const { url, admin } = api.clickhouse;
  const query =
    "SELECT count() FROM system.processes WHERE user = 'tenant' AND query LIKE '%700001%' AND query NOT LIKE '%processes%'";
  const response = await fetch(`${url}/?query=${encodeURIComponent(query)}`, {
    headers: { authorization: `Basic ${btoa(`${admin.username}:${admin.password}`)}` },
  });
  return Number(await response.text());
}
