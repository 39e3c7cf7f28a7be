import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from '../../app.ts';
import { send, save } from '../../test/streamed-endpoints.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// The promise to a tenant: whatever others do with their streams, and do not read, there is a place for one of mine.
let api: TestApi;
let acme: Seed;
let other: Seed;

beforeAll(async () => {
  api = await startTestApi({ QUERY_THREADS_MAX: '1', QUERY_WAIT_MS_MAX: '0' });
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
});
afterAll(() => api?.stop());

/** A stream of which nothing is read until somebody does. */
function open({ key }: Seed, path: string, { url }: ManagementApi): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const requested = httpRequest(
      `${url}${path}/run?format=csv`,
      { headers: { authorization: `Bearer ${key}` } },
      (response) => resolve(response.pause()),
    );
    requested.on('error', reject).end();
  });
}

/** Reads the stream to its end: it comes whole, or is cut off. */
async function read(response: IncomingMessage): Promise<'whole' | 'cut'> {
  try {
    for await (const chunk of response) void chunk;
    return response.complete ? 'whole' : 'cut';
  } catch (error) {
    if ((error as { code?: string }).code === 'ECONNRESET') return 'cut';
    throw error;
  }
}

test('a reader that takes nothing keeps its slot until another caller waits for it', async () => {
  const one = await api.startProcess({ QUERY_STREAMS_MAX: '1', QUERY_STREAM_READER_SECONDS_MAX: '1' });
  const [path, theirs] = [await save(api, acme, acme.projectId), await save(api, other, other.projectId, 'SELECT 1')];
  const began = performance.now();
  const patient = await open(acme, path, one);
  await eventually(() => expect(performance.now() - began).toBeGreaterThan(3_000));
  const ended = await read(patient);
  // Should it be cut, its log says why.
  const { body } = await api.as(acme.key).send<{ results: { message: string }[] }>('get', `${path}/logs?level=ERROR`);
  expect([ended, body.results]).toEqual(['whole', []]);
  const unread = await open(acme, path, one);
  expect(await send(api, other, theirs, '?format=csv', one)).toEqual([503, 'query_capacity']);
  await eventually(async () => expect(await send(api, other, theirs, '?format=csv', one)).toEqual([200, undefined]), {
    deadlineMs: 10_000,
  });
  expect(await read(unread)).toBe('cut');
  await eventually(async () => {
    const { body } = await api
      .as(acme.key)
      .send<{ results: { message: string }[] }>('get', `${path}/logs?search=stream_unread`);
    expect(body.results).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^Endpoint run failed .* error=stream_unread$/) }),
    ]);
  });
  expect(await (await fetch(`${one.operationsUrl()}/metrics`)).text()).toMatch(
    /^millrace_api_query_seconds_count\{(?=.*kind="stream").*outcome="unread".*\} 1$/m,
  );
  await one.stop();
}, 40_000);

test('a reader at the minimum rate is never ended, also while others wait', async () => {
  const one = await api.startProcess({ QUERY_STREAMS_MAX: '1', QUERY_STREAM_READER_SECONDS_MAX: '3' });
  const [path, theirs] = [await save(api, acme, acme.projectId), await save(api, other, other.projectId, 'SELECT 1')];
  const steady = await open(acme, path, one);
  for (let look = 0; look < 30; look++) {
    expect((await send(api, other, theirs, '?format=csv', one))[0]).toBe(503);
    const began = performance.now();
    let bytes = 0;
    // A megabyte or so at a time: the pauses together are longer than any one may be.
    for await (const chunk of steady.iterator({ destroyOnReturn: false }))
      if ((bytes += (chunk as Buffer).length) > 1_000_000) break;
    await eventually(() => expect(performance.now() - began).toBeGreaterThan(200));
  }
  expect(await read(steady)).toBe('whole');
  await one.stop();
}, 40_000);
