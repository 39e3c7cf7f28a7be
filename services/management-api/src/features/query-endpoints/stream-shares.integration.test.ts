import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { send, save, wide } from '../../test/streamed-endpoints.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// The promise to a tenant: however many streams and queries others have, there is a place for one of mine.
let api: TestApi;
let acme: Seed;
let other: Seed;

beforeAll(async () => {
  api = await startTestApi({ QUERY_THREADS_MAX: '1', QUERY_WAIT_MS_MAX: '0' });
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
});
afterAll(() => api?.stop());

/** How many of these the engine has. */
async function running(): Promise<number> {
  const { url, admin } = api.clickhouse;
  const body =
    "SELECT count() FROM system.processes WHERE user = 'tenant' AND match(query, '250013|800013') AND query NOT LIKE '%processes%'";
  return Number(
    await (
      await fetch(url, {
        method: 'POST',
        body,
        headers: { authorization: `Basic ${btoa(`${admin.username}:${admin.password}`)}` },
      })
    ).text(),
  );
}

test.each([
  ['streams', '?format=csv', { QUERY_STREAMS_PER_ORGANIZATION_MAX: '2' }],
  ['queries', '', { QUERY_RUNNING_PER_ORGANIZATION_MAX: '2' }],
])('an organization with many projects has no more than its share of %s', async (kind, query, settings) => {
  const few = await api.startProcess(settings);
  const projects = [acme.projectId];
  while (projects.length < 3)
    projects.push(
      (await api.admin.createProject({ organizationId: acme.organizationId, name: `more ${projects.length}` }))
        .projectId,
    );
  const long = 'SELECT count() FROM numbers(1000000) a JOIN numbers(800013) b ON 1 = 1 WHERE a.number * b.number = 7';
  const paths = [];
  for (const id of projects)
    paths.push(await save(api, acme, id, paths.length === 2 ? 'SELECT 1' : kind === 'streams' ? wide : long));
  const gone = new AbortController();
  const taken = paths.slice(0, 2).map((path) =>
    fetch(`${few.url}${path}/run${query}`, {
      headers: { authorization: `Bearer ${acme.key}` },
      signal: gone.signal,
    }).catch(() => undefined),
  );
  await eventually(async () => expect(await running()).toBe(2));
  expect(await send(api, acme, paths[2] ?? '', query, few)).toEqual([429, 'throttled']);
  expect(await send(api, other, await save(api, other, other.projectId, 'SELECT 1'), query, few)).toEqual([
    200,
    undefined,
  ]);
  gone.abort();
  await Promise.all(taken);
  await few.stop();
});
