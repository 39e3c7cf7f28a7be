import { describe, expect, test } from '@jest/globals';
import { createRunSlots } from './run-slots.ts';
import { createTenantEngine, type TenantEngineOptions } from './tenant-engine.ts';

const limits = { executionSecondsMax: 1, memoryBytesMax: 1, resultRowsMax: 1, resultBytesMax: 1, readRowsMax: 1, readBytesMax: 1, threadsMax: 1 };
const streamOf = { form: { engineFormat: 'JSONCompact', settings: {} }, rowsMax: 1 } as const;

type Heard = Parameters<TenantEngineOptions['onFinish']>[0];

/** Asks one query of an engine that answers with `outcome`. */
function asking(kind: Heard['kind'], outcome: () => Promise<void>, onFinish: (end: Heard) => void, { signal } = new AbortController()): Promise<unknown> {
  const connection = {
    ask: () => outcome().then(() => Buffer.from('{}')),
    stream: async <Result>(_question: unknown, read: (bytes: AsyncIterable<Buffer>) => Promise<Result>) => {
      await outcome();
      return await read((async function* () {})());
    },
  };
  const slots = createRunSlots({ max: 1, perProjectMax: 1, perKeyMax: 1 });
  const engine = createTenantEngine(connection, { tokenOf: () => '', limits, slots, streams: { limits: { bytesMax: 1, secondsMax: 1 }, slots }, onFinish, onLeftRunning: () => undefined });
  const query = { sql: '', params: {}, teamId: 1, keyId: undefined, queryId: '', signal };
  return kind === 'run' ? engine.run(query) : engine.stream({ ...query, ...streamOf }, () => Promise.resolve());
}

/** What was heard of the end of such a query. */
async function finished(kind: Heard['kind'], outcome: () => Promise<void>, given?: AbortController): Promise<Heard[]> {
  const heard: Heard[] = [];
  await asking(kind, outcome, (end) => heard.push(end), given).catch(() => undefined);
  return heard;
}

describe.each(['run', 'stream'] as const)('how a %s ended, and how long it took, is told once', (kind) => {
  test('when it worked, with the time that it took', async () => {
    const [end, ...others] = await finished(kind, () => new Promise((resolve) => setTimeout(resolve, 20)));
    expect([end, others]).toEqual([{ kind, outcome: 'ok', seconds: expect.any(Number) }, []]);
    expect(end?.seconds).toBeGreaterThan(0.015);
  });

  test('when it failed', async () => {
    expect(await finished(kind, () => Promise.reject(new Error('broken')))).toEqual([{ kind, outcome: 'error', seconds: expect.any(Number) }]);
  });

  test('when nobody waited for it any more', async () => {
    const given = new AbortController();
    const leave = (): Promise<void> => {
      given.abort();
      return Promise.reject(new Error('gone'));
    };
    expect(await finished(kind, leave, given)).toEqual([{ kind, outcome: 'aborted', seconds: expect.any(Number) }]);
  });
});

// The promise to who runs queries: what is worth another try says so, whichever way a connection broke.
test.each([
  ['nobody listens', 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:8123'],
  ['a connection is closed', 'UND_ERR_SOCKET', 'other side closed'],
  ['an answer of known length breaks off', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'Response body length does not match content-length header'],
  ['the last answer of a connection breaks off', undefined, 'Response does not match the HTTP/1.1 protocol (Invalid EOF state)'],
])('an engine is unavailable when %s', async (_what, code, message) => {
  await expect(asking('run', () => Promise.reject(Object.assign(new Error(message), { code })), () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
});
