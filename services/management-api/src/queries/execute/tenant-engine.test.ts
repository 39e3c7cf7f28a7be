import { describe, expect, test } from '@jest/globals';
import {
  ResponsesTooLargeError,
  ResponseTooLargeError,
  ResponseTooLateError,
  QueryTooLargeError,
} from '@millrace/clickhouse/response-errors.ts';
import { compileQuery } from '@millrace/query-language/compile.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import { createTenantEngine, type TenantEngine, type TenantEngineOptions } from './tenant-engine.ts';

const limits = {
  executionSecondsMax: 1,
  memoryBytesMax: 1,
  resultRowsMax: 1,
  resultBytesMax: 1,
  readRowsMax: 1,
  readBytesMax: 1,
  threadsMax: 1,
};
const streamOf = { form: { engineFormat: 'JSONCompact', settings: {} }, rowsMax: 1 } as const;

type Received = Parameters<TenantEngineOptions['onFinish']>[0];

/** Runs one query on an engine that returns `outcome`. */
function request(
  kind: Received['kind'],
  outcome: () => Promise<void>,
  onFinish: (end: Received) => void,
  { signal } = new AbortController(),
): Promise<unknown> {
  const connection = {
    query: () => outcome().then(() => Buffer.from('{}')),
    stream: async <Result>(_request: unknown, read: (bytes: AsyncIterable<Buffer>) => Promise<Result>) => {
      await outcome();
      return await read((async function* () {})());
    },
  };
  const limiter = createConcurrencyLimiter(
    { max: 1, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 1 },
    { counted: 'queries', waitMsMax: 0 },
  );
  const engine = createTenantEngine(connection, {
    headersOf: () => ({}),
    limits,
    limiter,
    streams: { limits: { rowsMax: 1, bytesMax: 1, secondsMax: 1, readerSecondsMax: 1 }, limiter },
    onFinish,
    endings: { end: () => Promise.resolve() },
  });
  const query = {
    sql: '' as TenantSql,
    params: {},
    teamId: 1,
    organizationId: 'o',
    keyId: undefined,
    queryId: '',
    signal,
  };
  return kind === 'run' ? engine.run(query) : engine.stream({ ...query, ...streamOf }, () => Promise.resolve());
}

/** Reports of the end of such a query. */
async function finished(
  kind: Received['kind'],
  outcome: () => Promise<void>,
  given?: AbortController,
): Promise<Received[]> {
  const received: Received[] = [];
  await request(kind, outcome, (end) => received.push(end), given).catch(() => undefined);
  return received;
}

describe.each(['run', 'stream'] as const)('outcome and duration of a %s are reported once', (kind) => {
  test('when it worked, with the time that it took', async () => {
    const [end, ...others] = await finished(kind, () => new Promise((resolve) => setTimeout(resolve, 20)));
    expect([end, others]).toEqual([{ kind, outcome: 'ok', seconds: expect.any(Number) }, []]);
    expect(end?.seconds).toBeGreaterThan(0.015);
  });

  test('when it failed', async () => {
    expect(await finished(kind, () => Promise.reject(new Error('broken')))).toEqual([
      { kind, outcome: 'error', seconds: expect.any(Number) },
    ]);
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
  [
    'an answer of known length breaks off',
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'Response body length does not match content-length header',
  ],
  [
    'the last answer of a connection breaks off',
    undefined,
    'Response does not match the HTTP/1.1 protocol (Invalid EOF state)',
  ],
])('an engine is unavailable when %s', async (_what, code, message) => {
  await expect(
    request(
      'run',
      () => Promise.reject(Object.assign(new Error(message), { code })),
      () => undefined,
    ),
  ).rejects.toMatchObject({ code: 'unavailable' });
});

// ClickHouse looks for the end of a connection only between blocks of rows: whatever may still run there is ended, and has a slot until then.
test.each<[Error, code: string, mayRun: boolean]>([
  [new ResponseTooLateError(), 'query_timeout', true],
  [new ResponseTooLargeError(1), 'query_result_too_large', true],
  [new ResponsesTooLargeError(1), 'query_capacity', true],
  [Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }), 'unavailable', true],
  [Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 'unavailable', true],
  [new Error('<html>504 Gateway Timeout'), 'error', true],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'unavailable', false],
  [new QueryTooLargeError(), 'query_too_large', false],
  [Object.assign(new Error('Code: 241.'), { code: '241' }), 'query_memory_limit', false],
])('%s is %s; it may still run: %s', async (error, code, mayRun) => {
  for (const kind of ['run', 'stream'] as const) {
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    const ended: string[] = [];
    const end = ({ queryId }: { queryId: string }): Promise<void> => (ended.push(queryId), gone);
    const fail = (): Promise<never> => Promise.reject(error);
    const limiter = createConcurrencyLimiter(
      { max: 1, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 1 },
      { counted: 'queries', waitMsMax: 0 },
    );
    const engine = createTenantEngine(
      { query: fail, stream: fail },
      {
        headersOf: () => ({}),
        limits,
        limiter,
        streams: { limits: { rowsMax: 1, bytesMax: 1, secondsMax: 1, readerSecondsMax: 1 }, limiter },
        onFinish: () => undefined,
        endings: { end },
        endingMsMax: 1,
      },
    );
    const query = {
      sql: '' as TenantSql,
      params: {},
      teamId: 1,
      organizationId: 'o',
      keyId: undefined,
      queryId: 'q',
      signal: new AbortController().signal,
    };
    await expect(
      kind === 'run' ? engine.run(query) : engine.stream({ ...query, ...streamOf }, () => Promise.resolve()),
    ).rejects.toMatchObject({ code });
    expect(ended).toEqual(mayRun ? ['q'] : []);
    const next = (): Promise<string> => limiter.run({ projectId: 1 }, () => Promise.resolve('free'));
    if (mayRun) await expect(next()).rejects.toMatchObject({ code: 'throttled' });
    go();
    await eventually(async () => expect(await next()).toBe('free'));
  }
});

test('nothing but what the compiler printed is SQL for tenants', () => {
  const requested = (sql: Parameters<TenantEngine['run']>[0]['sql']): string => sql;
  expect(requested(compileQuery({ text: 'SELECT event FROM events', rowsMax: 1 }).sql)).toContain('analytics.events');
  // @ts-expect-error a text that somebody wrote: `npm run check` fails when this line has no error of types.
  requested('SELECT 1');
  // @ts-expect-error a compiled text with something after it is no compiled text any more.
  requested(`${compileQuery({ text: 'SELECT 1', rowsMax: 1 }).sql} UNION ALL SELECT 2`);
});
