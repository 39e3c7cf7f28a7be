import { createServer } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import {
  openQueryConnection,
  type QueryConnection,
  type QueryRequest,
  type StreamRequest,
} from './query-connection.ts';
import { ResponseTooLargeError, ResponseTooLateError, QueryTooLargeError } from '../response-errors.ts';

const clickhouse = testClickhouse();
let connection: QueryConnection;

beforeAll(() => {
  connection = openQueryConnection({
    url: clickhouse.url,
    user: 'admin',
    password: clickhouse.admin.password,
    connectionsMax: 2,
  });
});
afterAll(() => connection?.close());

let requested = 0;
const send = (more: Partial<QueryRequest> & { sql: string }, over = connection): Promise<string> =>
  over
    .query({
      params: {},
      settings: { wait_end_of_query: 1 },
      queryId: `connection-${process.pid}-${requested++}`,
      signal: new AbortController().signal,
      deadlineMs: 20_000,
      responseBytesMax: 1_000_000,
      ...more,
    })
    .then((bytes) => bytes.toString());

describe('a query to ClickHouse', () => {
  test('answers bytes; every value comes back as it was bound', async () => {
    const texts = [
      '',
      ' ',
      '\t\n\r\b\0',
      "'; DROP",
      '\\N',
      'NULL',
      '\\',
      "\\'",
      'ünï 🦀 %41&param_a=1#',
      '[1]',
      '\u2028',
    ];
    for (const text of texts) {
      const response = await send({
        sql: 'SELECT {a:String} AS a, {b:Array(String)} AS b FORMAT JSONCompactEachRow',
        params: { a: text, b: [text, text] },
      });
      expect(JSON.parse(response)).toEqual([text, [text, text]]);
    }
    const params = { i: 2n ** 63n - 1n, f: 0.1, n: null, t: true, l: [1, null], d: '2026-01-31 12:00:00.123456' };
    const sql =
      "SELECT toString({i:Int64}), {f:Float64}, {n:Nullable(String)}, {t:Bool}, {l:Array(Nullable(Int64))}, toString({d:DateTime64(6, 'UTC')}) FORMAT JSONCompactEachRow";
    expect(JSON.parse(await send({ sql, params, settings: { output_format_json_quote_64bit_integers: 0 } }))).toEqual([
      '9223372036854775807',
      0.1,
      null,
      true,
      [1, null],
      params.d,
    ]);
  });

  test('throws what ClickHouse refuses, with its number and name, early or late', async () => {
    await expect(send({ sql: 'SELECT nothing_such' })).rejects.toMatchObject({
      code: '47',
      type: 'UNKNOWN_IDENTIFIER',
    });
    await expect(send({ sql: "SELECT throwIf(number = 1000000, 'late') FROM numbers(2000000)" })).rejects.toMatchObject(
      {
        code: '395',
      },
    );
    const stranger = openQueryConnection({ url: clickhouse.url, user: 'admin', password: 'wrong' });
    await expect(send({ sql: 'SELECT 1' }, stranger)).rejects.toMatchObject({ code: '516' });
    await stranger.close();
  });

  test('ends when it is given up, too late or too large, and the connection is good for the next one', async () => {
    const endless = {
      sql: 'SELECT sum(sleepEachRow(0.1)) FROM numbers(100)',
      settings: { max_block_size: 1, cancel_http_readonly_queries_on_client_close: 1 },
    };
    const giving = new AbortController();
    const given = send({ ...endless, signal: giving.signal });
    giving.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    await expect(send({ ...endless, deadlineMs: 50 })).rejects.toThrow(ResponseTooLateError);
    await expect(send({ sql: 'SELECT * FROM numbers(1000000)', responseBytesMax: 1000 })).rejects.toThrow(
      ResponseTooLargeError,
    );
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => send({ sql: 'SELECT 1' })))).toEqual(Array(5).fill('1\n'));
  });

  test('is not sent when its signal is aborted already; an abort after the response does not cost the next query its connection', async () => {
    await expect(send({ sql: 'SELECT 1', signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    const [leaving, one] = [
      new AbortController(),
      openQueryConnection({
        url: clickhouse.url,
        user: 'admin',
        password: clickhouse.admin.password,
        connectionsMax: 1,
      }),
    ];
    expect(await send({ sql: 'SELECT 1', signal: leaving.signal }, one)).toBe('1\n');
    const next = send({ sql: 'SELECT sleep(0.2)' }, one);
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    expect(await next).toBe('0\n');
    await one.close();
  });

  test('that is aborted while it waits for a connection is never sent', async () => {
    const one = openQueryConnection({
      url: clickhouse.url,
      user: 'admin',
      password: clickhouse.admin.password,
      connectionsMax: 1,
    });
    const first = send({ sql: 'SELECT sleep(0.3)' }, one);
    const leaving = new AbortController();
    const waiting = send({ sql: 'SELECT sleep(3)', signal: leaving.signal }, one);
    const next = send({ sql: 'SELECT 1' }, one);
    setImmediate(() => leaving.abort());
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const begun = performance.now();
    expect([await first, await next]).toEqual(['0\n', '1\n']);
    expect(performance.now() - begun).toBeLessThan(2_500);
    await one.close();
  });

  test('carries values up to the length that ClickHouse accepts, and throws for longer ones', async () => {
    const lengthOf = (text: string): Promise<string> => send({ sql: 'SELECT length({a:String})', params: { a: text } });
    expect(await lengthOf('x'.repeat(130_000))).toBe('130000\n');
    expect(await lengthOf('é'.repeat(21_000))).toBe('42000\n');
    for (const text of ['x'.repeat(140_000), '東'.repeat(20_000), 'x'.repeat(3_000_000)])
      await expect(lengthOf(text)).rejects.toThrow(QueryTooLargeError);
  });

  test('carries as many values as ClickHouse accepts, and throws for more', async () => {
    const sumOf = (count: number): Promise<string> => {
      const names = Array.from({ length: count }, (_, index) => `v${index}`);
      return send({
        sql: `SELECT arraySum([${names.map((name) => `{${name}:UInt8}`).join()}])`,
        params: Object.fromEntries(names.map((name) => [name, 1])),
      });
    };
    // Two of the thousand are the id and the setting of `query`.
    expect(await sumOf(998)).toBe('998\n');
    await expect(sumOf(999)).rejects.toThrow(QueryTooLargeError);
  });

  test('throws when nobody answers, or the answer breaks off', async () => {
    const nobody = openQueryConnection({ url: 'http://127.0.0.1:1', user: 'a', password: 'b' });
    await expect(send({ sql: 'SELECT 1' }, nobody)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await nobody.close();
    const half = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.socket?.destroy());
    });
    await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve));
    const broken = openQueryConnection({
      url: `http://127.0.0.1:${(half.address() as AddressInfo).port}`,
      user: 'a',
      password: 'b',
    });
    await expect(send({ sql: 'SELECT 1' }, broken)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ECONNRESET|UND_ERR_SOCKET)$/),
    });
    await broken.close();
    half.close();
  });

  test('throws when the last answer of a connection breaks off', async () => {
    const half = createServer((_request, response) => {
      response.writeHead(200, { connection: 'close' });
      response.write('half', () => response.socket?.end());
    });
    await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve));
    const broken = openQueryConnection({
      url: `http://127.0.0.1:${(half.address() as AddressInfo).port}`,
      user: 'a',
      password: 'b',
    });
    await expect(send({ sql: 'SELECT 1' }, broken)).rejects.toThrow('does not match the HTTP/1.1 protocol');
    await broken.close();
    half.close();
  });

  test('uses HTTP/1.1, over TLS too: with HTTP/2 many queries would share one connection', async () => {
    const { promise: hello, resolve } = Promise.withResolvers<Buffer>();
    const server = createNetServer((socket) => void socket.once('data', (bytes) => (resolve(bytes), socket.destroy())));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const secure = openQueryConnection({
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      user: 'a',
      password: 'b',
    });
    await expect(send({ sql: 'SELECT 1' }, secure)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await hello).includes('http/1.1')).toBe(true);
    expect((await hello).includes('\x02h2')).toBe(false);
    await secure.close();
    server.close();
  });
});

describe('an answer that is read while it comes', () => {
  const request = (more: Partial<StreamRequest> & { sql: string }): StreamRequest => ({
    params: {},
    settings: { buffer_size: 1000, cancel_http_readonly_queries_on_client_close: 1 },
    queryId: `connection-${process.pid}-${requested++}`,
    signal: new AbortController().signal,
    deadlineMs: 20_000,
    waitMsMax: 20_000,
    responseBytesMax: 100_000_000,
    ...more,
  });
  const textOf = async (bytes: AsyncIterable<Buffer>): Promise<string> => {
    let text = '';
    for await (const chunk of bytes) text += chunk.toString('latin1');
    return text;
  };
  const read = (more: Partial<StreamRequest> & { sql: string }): Promise<string> =>
    connection.stream(request(more), textOf);

  test('has every byte', async () => {
    expect(await read({ sql: 'SELECT number FROM numbers(300000)' })).toBe(
      await send({ sql: 'SELECT number FROM numbers(300000)', responseBytesMax: 10_000_000 }),
    );
    expect(await read({ sql: 'SELECT 1 WHERE 0' })).toBe('');
  });

  test('throws what goes wrong before and after its first byte, and lets nothing of that through', async () => {
    await expect(read({ sql: 'SELECT nothing_such' })).rejects.toMatchObject({ code: '47' });
    let seen = '';
    const late = "SELECT number, throwIf(number = 1000000, 'late') FROM numbers(2000000)";
    const reading = connection.stream(request({ sql: late }), async (bytes) => {
      for await (const chunk of bytes) seen += chunk.toString();
    });
    await expect(reading).rejects.toMatchObject({ code: '395', message: expect.stringContaining('late') });
    expect([seen.length > 100_000, /__exception__|DB::Exception/.test(seen)]).toEqual([true, false]);
  });

  test('throws what went wrong late to a reader that is slower than ClickHouse, too', async () => {
    const [wanted, cut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const behind =
      '\r\n__exception__\r\ntag\r\nCode: 395. DB::Exception: late: FUNCTION. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 26)';
    const server = createNetServer((socket) => {
      socket.once(
        'data',
        () =>
          void socket.write(
            'HTTP/1.1 200 OK\r\nX-ClickHouse-Exception-Tag: tag\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nrow\r\n',
          ),
      );
      void wanted.promise.then(() => socket.end(`${behind.length.toString(16)}\r\n${behind}\r\n`));
      socket.on('close', () => cut.resolve());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const cutting = openQueryConnection({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      user: 'a',
      password: 'b',
    });
    const reading = cutting.stream(request({ sql: 'SELECT 1' }), async (bytes) => {
      for await (const chunk of bytes) {
        expect(chunk.toString()).toBe('row');
        wanted.resolve();
        await cut.promise;
      }
    });
    await expect(reading).rejects.toMatchObject({ code: '395' });
    await cutting.close();
    server.close();
  });

  test('that breaks off without a word is no whole one', async () => {
    const server = createNetServer((socket) => {
      socket.once(
        'data',
        () =>
          void socket.write(
            'HTTP/1.1 200 OK\r\nX-ClickHouse-Exception-Tag: tag\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nrow\r\n',
            () => socket.end(),
          ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const breaking = openQueryConnection({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      user: 'a',
      password: 'b',
    });
    let seen = '';
    const reading = breaking.stream(request({ sql: 'SELECT 1' }), async (bytes) => {
      for await (const chunk of bytes) seen += chunk.toString();
    });
    await expect(reading).rejects.toMatchObject({ code: expect.stringMatching(/^(?:ECONNRESET|UND_ERR_SOCKET)$/) });
    expect(seen).toBe('row');
    await breaking.close();
    server.close();
  });

  test('waits for its reader, and ends with it, too late or too large', async () => {
    const endless = 'SELECT number FROM numbers(1000000000000)';
    const slow = { sql: 'SELECT sleepEachRow(0.1) FROM numbers(100)', settings: { max_block_size: 1 } };
    const mute = { sql: 'SELECT sum(sleepEachRow(0.1)) FROM numbers(100)', settings: { max_block_size: 1 } };
    // Each wait is short, all of them together are not.
    const bitByBit = {
      sql: "SELECT sleepEachRow(0.1), repeat('x', 1000000), repeat('y', 1000000) FROM numbers(100)",
      settings: { max_block_size: 1, max_threads: 1 },
    };
    // A reader that takes nothing for longer than it may wait for ClickHouse: its own time does not count, but for the deadline.
    const stalled = (more: Partial<StreamRequest>): Promise<string> =>
      connection.stream(request({ sql: endless, ...more }), async (bytes) => {
        for await (const _chunk of bytes) await new Promise(() => undefined);
        return 'never';
      });
    // Nor does the clock stop with the response's last byte, while its reader still has it.
    const holding = connection.stream(request({ sql: 'SELECT 1', deadlineMs: 800 }), async (bytes) => {
      await textOf(bytes);
      return await new Promise(() => undefined);
    });
    await Promise.all([
      expect(read({ ...slow, waitMsMax: 50 })).rejects.toThrow(ResponseTooLateError),
      expect(read({ ...mute, waitMsMax: 50 })).rejects.toThrow('no response within 50 ms'),
      expect(read({ ...bitByBit, waitMsMax: 3_000 })).rejects.toThrow('waited more than 3000 ms'),
      expect(read({ ...bitByBit, deadlineMs: 300 })).rejects.toThrow('no response within 300 ms'),
      expect(stalled({ waitMsMax: 2_000, deadlineMs: 3_000 })).rejects.toThrow('no response within 3000 ms'),
      expect(holding).rejects.toThrow('no response within 800 ms'),
    ]);
    await expect(read({ sql: endless, responseBytesMax: 100_000 })).rejects.toThrow(ResponseTooLargeError);
    const giving = new AbortController();
    const given = connection.stream(request({ sql: endless, signal: giving.signal }), async (bytes) => {
      for await (const _chunk of bytes) giving.abort();
    });
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    const first = await connection.stream(request({ sql: endless }), async (bytes) => {
      for await (const chunk of bytes) return chunk.length;
      return 0;
    });
    expect(first).toBeGreaterThan(0);
    expect(await Promise.all([1, 2, 3].map(() => send({ sql: 'SELECT 1' })))).toEqual(Array(3).fill('1\n'));
  });
});
