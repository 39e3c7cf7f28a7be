import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { AnswerTooLargeError, AnswerTooLateError, QuestionTooLargeError, openQueryConnection, type QueryConnection, type Question } from './query-connection.ts';

const clickhouse = testClickhouse();
let connection: QueryConnection;

beforeAll(() => {
  connection = openQueryConnection({ url: clickhouse.url, user: 'admin', password: clickhouse.admin.password, connectionsMax: 2 });
});
afterAll(() => connection?.close());

let asked = 0;
const ask = (more: Partial<Question> & { sql: string }, over = connection): Promise<string> =>
  over
    .ask({ params: {}, settings: { wait_end_of_query: 1 }, queryId: `connection-${process.pid}-${asked++}`, signal: new AbortController().signal, deadlineMs: 20_000, answerBytesMax: 1_000_000, ...more })
    .then((bytes) => bytes.toString());

describe('a question to ClickHouse', () => {
  test('answers bytes; every value comes back as it was bound', async () => {
    const texts = ['', ' ', '\t\n\r\b\0', "'; DROP", '\\N', 'NULL', '\\', "\\'", 'ünï 🦀 %41&param_a=1#', '[1]', '\u2028'];
    for (const text of texts) {
      const answer = await ask({ sql: 'SELECT {a:String} AS a, {b:Array(String)} AS b FORMAT JSONCompactEachRow', params: { a: text, b: [text, text] } });
      expect(JSON.parse(answer)).toEqual([text, [text, text]]);
    }
    const params = { i: 2n ** 63n - 1n, f: 0.1, n: null, t: true, l: [1, null], d: '2026-01-31 12:00:00.123456' };
    const sql = "SELECT toString({i:Int64}), {f:Float64}, {n:Nullable(String)}, {t:Bool}, {l:Array(Nullable(Int64))}, toString({d:DateTime64(6, 'UTC')}) FORMAT JSONCompactEachRow";
    expect(JSON.parse(await ask({ sql, params, settings: { output_format_json_quote_64bit_integers: 0 } }))).toEqual(['9223372036854775807', 0.1, null, true, [1, null], params.d]);
  });

  test('throws what ClickHouse refuses, with its number and name, early or late', async () => {
    await expect(ask({ sql: 'SELECT nothing_such' })).rejects.toMatchObject({ code: '47', type: 'UNKNOWN_IDENTIFIER' });
    await expect(ask({ sql: "SELECT throwIf(number = 1000000, 'late') FROM numbers(2000000)" })).rejects.toMatchObject({ code: '395' });
    const stranger = openQueryConnection({ url: clickhouse.url, user: 'admin', password: 'wrong' });
    await expect(ask({ sql: 'SELECT 1' }, stranger)).rejects.toMatchObject({ code: '516' });
    stranger.close();
  });

  test('ends when it is given up, too late or too large, and the connection is good for the next one', async () => {
    const endless = { sql: 'SELECT sum(sleepEachRow(0.1)) FROM numbers(100)', settings: { max_block_size: 1, cancel_http_readonly_queries_on_client_close: 1 } };
    const giving = new AbortController();
    const given = ask({ ...endless, signal: giving.signal });
    giving.abort();
    await expect(given).rejects.toMatchObject({ name: 'AbortError' });
    await expect(ask({ ...endless, deadlineMs: 50 })).rejects.toThrow(AnswerTooLateError);
    await expect(ask({ sql: 'SELECT * FROM numbers(1000000)', answerBytesMax: 1000 })).rejects.toThrow(AnswerTooLargeError);
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => ask({ sql: 'SELECT 1' })))).toEqual(Array(5).fill('1\n'));
  });

  test('carries values as long as ClickHouse takes them, and says so beyond', async () => {
    const lengthOf = (text: string): Promise<string> => ask({ sql: 'SELECT length({a:String})', params: { a: text } });
    expect(await lengthOf('x'.repeat(130_000))).toBe('130000\n');
    expect(await lengthOf('é'.repeat(21_000))).toBe('42000\n');
    for (const text of ['x'.repeat(140_000), '東'.repeat(20_000), 'x'.repeat(3_000_000)]) await expect(lengthOf(text)).rejects.toThrow(QuestionTooLargeError);
  });

  test('throws when nobody answers, or the answer breaks off', async () => {
    const nobody = openQueryConnection({ url: 'http://127.0.0.1:1', user: 'a', password: 'b' });
    await expect(ask({ sql: 'SELECT 1' }, nobody)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    nobody.close();
    const half = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.socket?.destroy());
    });
    await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve));
    const broken = openQueryConnection({ url: `http://127.0.0.1:${(half.address() as AddressInfo).port}`, user: 'a', password: 'b' });
    await expect(ask({ sql: 'SELECT 1' }, broken)).rejects.toMatchObject({ code: 'ECONNRESET' });
    broken.close();
    half.close();
  });
});
