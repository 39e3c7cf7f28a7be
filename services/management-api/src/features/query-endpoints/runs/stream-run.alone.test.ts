import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi({
    QUERY_RESULT_ROWS_MAX: '5',
    QUERY_STREAM_ROWS_MAX: '400000',
    QUERY_STREAMS_PER_PROJECT_MAX: '1',
    QUERY_WAIT_MS_MAX: '0',
    QUERY_THREADS_MAX: '1',
  });
  acme = await api.seed('Acme');
  const other = await api.seed('Other');
  base = `/api/projects/${acme.projectId}/endpoints`;
  const events = (teamId: number, event: string) =>
    Array.from({ length: 10 }, (_, n) => ({
      team_id: teamId,
      event,
      distinct_id: `d${n}`,
      timestamp: `2026-01-02 03:04:0${n}.000000`,
      properties: { n },
    }));
  await api.insertEvents([...events(acme.projectId, 'mine'), ...events(other.projectId, 'theirs')]);
});
afterAll(() => api?.stop());

let made = 0;
async function save(sql: string, variables?: Record<string, unknown>): Promise<string> {
  const name = `s${made++}`;
  const response = await api
    .as(acme.key)
    .send('post', base)
    .send({ name, query: { kind: 'HogQLQuery', query: sql, ...(variables ? { variables } : {}) } });
  expect([sql, response.status, response.body.detail]).toEqual([sql, 201, undefined]);
  return name;
}
const get = (name: string, query: string, accept?: string) => {
  const asked = api.as(acme.key).send('get', `${base}/${name}/run${query}`);
  return (accept === undefined ? asked : asked.set('Accept', accept)).buffer(true);
};
/** A reply whose chunks wait until they are read. */
function open(name: string, query: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(
      `${api.api.url}${base}/${name}/run${query}`,
      { headers: { authorization: `Bearer ${acme.key}` } },
      resolve,
    );
    asked.on('error', reject).end();
  });
}
async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += (chunk as Buffer).toString('latin1');
  return text;
}
async function lastEntry(name: string): Promise<{ level: string; message: string }> {
  return await eventually(async () => {
    const { body } = await api
      .as(acme.key)
      .send<{ results: { level: string; message: string }[] }>('get', `${base}/${name}/logs?limit=1`);
    const [entry] = body.results;
    if (entry === undefined) throw new Error('no entry yet');
    return entry;
  });
}
async function askEngine(sql: string): Promise<string> {
  const { url, admin } = api.clickhouse;
  const response = await fetch(url, {
    method: 'POST',
    body: sql,
    headers: { authorization: `Basic ${btoa(`${admin.username}:${admin.password}`)}` },
  });
  return (await response.text()).trim();
}

describe('a stream returns all rows, past the cap of other runs', () => {
  const sql = 'SELECT distinct_id AS id, toInt(properties.n) AS n FROM events ORDER BY timestamp';

  test('as CSV, a line of names before the rows', async () => {
    const { status, headers, text } = await get(await save(sql), '?format=csv&limit=2');
    expect([status, headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'x-content-type-options': 'nosniff',
        'x-endpoint-version': '1',
        'x-is-cached': 'false',
        'x-age-seconds': '0',
      }),
    ]);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="s\d+\.csv"$/);
    expect(text).toBe('"id","n"\n"d0",0\n"d1",1\n');
  });

  test('as lines of JSON, by POST, with values', async () => {
    const name = await save(
      `SELECT distinct_id FROM events WHERE properties.n >= {variables.least} ORDER BY timestamp`,
      { a: { code_name: 'least', type: 'Number' } },
    );
    const { status, headers, text } = await api
      .as(acme.key)
      .send('post', `${base}/${name}/run?format=ndjson`)
      .send({ variables: { least: 8 } })
      .buffer(true);
    expect([status, headers['content-type'], text]).toEqual([
      200,
      'application/x-ndjson',
      '{"distinct_id":"d8"}\n{"distinct_id":"d9"}\n',
    ]);
  });

  test('in the format that `Accept` prefers; the parameter `format` wins', async () => {
    const name = await save('SELECT 1 AS one');
    const typeOf = async (query: string, accept: string) =>
      (await get(name, query, accept)).headers['content-type']?.split(';')[0];
    expect(await typeOf('', 'text/csv')).toBe('text/csv');
    expect(await typeOf('', 'application/x-ndjson, */*;q=0.1')).toBe('application/x-ndjson');
    expect(await typeOf('', 'text/html,*/*;q=0.8')).toBe('application/json');
    expect(await typeOf('?format=csv', 'application/json')).toBe('text/csv');
    for (const format of ['json', 'objects'])
      expect(await typeOf(`?format=${format}`, 'text/csv')).toBe('application/json');
  });

  test.each([
    ['all of them', sql, '', 10],
    ['a page', sql, '&limit=3', 3],
    ['a page of one', sql, '&limit=1', 1],
    ['the last page', sql, '&limit=4&offset=6', 4],
    ['a page behind the end', sql, '&limit=4&offset=60', 0],
    ['a ceiling of the SQL', `${sql} LIMIT 4`, '&limit=3', 3],
    ['the ceiling within a page', `${sql} LIMIT 4`, '&limit=3&offset=3', 1],
    ['none', 'SELECT event FROM events WHERE 1 = 2', '', 0],
  ])('pages: %s', async (_name, query, page, count) => {
    const name = await save(query);
    expect((await get(name, `?format=csv${page}`)).text.split('\n')).toHaveLength(count + 2);
    expect((await get(name, `?format=ndjson${page}`)).text.split('\n')).toHaveLength(count + 1);
  });

  test('up to the maximum of a stream; more rows are an error that names the maximum, not a short reply', async () => {
    const small = await api.startProcess({ QUERY_STREAM_ROWS_MAX: '3' });
    const asked = async (rows: number, query: string) => {
      const path = `${base}/${await save(`SELECT number FROM numbers(${rows}) ORDER BY number`)}/run${query}`;
      const { status, body, text } = await api.as(acme.key, small).send('get', path).buffer(true);
      return status === 200 ? text.trim().split('\n').length : [body.code, body.detail];
    };
    const refused = [
      'query_result_too_large',
      'A stream (csv, ndjson) can have at most 3 rows and 2,000,000,000 bytes. Ask for fewer rows or columns.',
    ];
    expect([await asked(3, '?format=csv'), await asked(4, '?format=csv&limit=3')]).toEqual([4, 4]);
    expect([await asked(3, '?format=ndjson&limit=4'), await asked(4, '?format=ndjson&limit=3')]).toEqual([3, 3]);
    expect([await asked(4, '?format=csv'), await asked(4, '?format=ndjson&limit=4')]).toEqual([refused, refused]);
    await small.stop();
  });

  test('its own rows only', async () => {
    expect((await get(await save('SELECT DISTINCT event FROM events'), '?format=csv')).text).toBe('"event"\n"mine"\n');
  });
});

test('columns have the names of the query, or the text of their expression', async () => {
  const name = await save('SELECT count(), event FROM events GROUP BY event');
  for (const query of ['', '?format=json', '?format=objects'])
    expect([query, (await get(name, query)).body]).toEqual([
      query,
      expect.objectContaining({ columns: ['count()', 'event'] }),
    ]);
  expect((await get(name, '?format=csv')).text).toBe('"count()","event"\n10,"mine"\n');
  // The text of an expression may hold special characters of CSV, JSON and ClickHouse's templates.
  const texts = [`length('a "b", c')`, String.raw`length('\\ ${'$'}{1:JSON}')`];
  const odd = await save(`SELECT ${texts.join(', ')}`);
  expect((await get(odd, '?format=csv')).text).toBe(
    `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n8,11\n`,
  );
  expect(JSON.parse((await get(odd, '?format=ndjson')).text)).toEqual({ [texts[0] ?? '']: 8, [texts[1] ?? '']: 11 });
});

describe('values', () => {
  const columns = [
    `'a "quoted", text' AS text`,
    `'two\nlines' AS lines`,
    `'=1+1' AS formula`,
    'NULL AS nothing',
    `'' AS empty`,
    `[1, 2] AS list`,
    `['x', 'y"z'] AS texts`,
    `tuple(1, 'a') AS pair`,
    `'ünï 🦀' AS letters`,
    `toDateTime('2026-01-02 03:04:05', 'UTC') AS time`,
    `toDate('2026-01-02') AS day`,
    '9007199254740993 AS large',
    '1 / 0 AS no_number',
    'true AS yes',
    '1.5 AS half',
    '7 AS `a $b`',
  ];

  test('in CSV: texts are quoted, NULL is empty, and csv=raw changes nothing', async () => {
    const { text } = await get(await save(`SELECT ${columns.join(', ')}`), '?format=csv&csv=raw');
    expect(text).toBe(
      '"text","lines","formula","nothing","empty","list","texts","pair","letters","time","day","large","no_number","yes","half","a $b"\n' +
        `"a ""quoted"", text","two\nlines","=1+1",,"","[1,2]","['x','y""z']","(1,'a')","ünï 🦀","2026-01-02T03:04:05.000000Z","2026-01-02",9007199254740993,inf,true,1.5,7\n`,
    );
  });

  // The promise to readers of a download: no sender of events can put a formula into it. All types that can hold a sender's text are
  // here, as ClickHouse itself writes them.
  test('in CSV: no text or name of any type begins a formula; numbers are unchanged', async () => {
    const cells: [string, string][] = [
      [`'=1+1'`, `"'=1+1"`],
      [`'+1'`, `"'+1"`],
      [`'-1'`, `"'-1"`],
      [`'@a'`, `"'@a"`],
      [String.raw`'\t=1'`, `"'\t'=1"`],
      [String.raw`'\r=1'`, `"'\r'=1"`],
      [`'a;=1'`, `"a;'=1"`],
      [`'a=1'`, `"a=1"`],
      [`'"=1'`, `"""=1"`],
      [`','`, `","`],
      [`nullIf('-x', 'y')`, `"'-x"`],
      [`['=1', '-2']`, `"['=1','-2']"`],
      [`tuple('=1', -2)`, `"('=1',-2)"`],
      [`-5`, `-5`],
      [`-1.5`, `-1.5`],
      [`-1 / 0`, `-inf`],
      [`toDecimal('-5.25', 2)`, `-5.25`],
      [`properties.sign`, `"'=cmd|' /C calc'!A0"`],
      [`toInt(properties.minus)`, `-7`],
      [`properties.minus`, `"'-7"`],
      [`upper(properties.sign)`, `"'=CMD|' /C CALC'!A0"`],
      [`[-1]`, `"[-1]"`],
      ['NULL', ''],
    ];
    const formulas = await api.seed('Formulas');
    await api.insertEvents([
      {
        team_id: formulas.projectId,
        event: '=e',
        distinct_id: '@d',
        properties: { sign: "=cmd|' /C calc'!A0", minus: -7 },
      },
    ]);
    const sql = `SELECT event, distinct_id, ${cells.map(([of], index) => `${of} AS c${index}`).join(', ')}, 1 AS ${'`=name`'} FROM events`;
    const path = `/api/projects/${formulas.projectId}/endpoints`;
    const saved = await api
      .as(formulas.key)
      .send('post', path)
      .send({ name: 'formulas', query: { kind: 'HogQLQuery', query: sql } });
    expect([saved.status, saved.body.detail]).toEqual([201, undefined]);
    const { text } = await api.as(formulas.key).send('get', `${path}/formulas/run?format=csv`).buffer(true);
    expect(text).toBe(
      `"event","distinct_id",${cells.map((_, index) => `"c${index}"`).join(',')},"'=name"\n"'=e","'@d",${cells.map(([, cell]) => cell).join(',')},1\n`,
    );
    const raw = await api.as(formulas.key).send('get', `${path}/formulas/run?format=csv&csv=raw`).buffer(true);
    expect(raw.text).toContain('"=e","@d","=1+1"');
    expect(raw.text).toContain('"=name"');
    expect((await api.as(formulas.key).send('get', `${path}/formulas/run?format=csv&csv=odd`)).status).toBe(400);
  });

  test('in NDJSON: the same as in other runs', async () => {
    const name = await save(`SELECT ${columns.join(', ')}`);
    const { text } = await get(name, '?format=ndjson');
    expect(text).toContain('"large":9007199254740993,');
    const line = JSON.parse(text) as Record<string, unknown>;
    const { body } = await get(name, '');
    const names = (body as unknown as { columns: string[] }).columns;
    expect(names.map((column) => line[column])).toEqual(body.results[0]);
    expect(Object.keys(line)).toEqual(names);
    expect((await get(name, '?format=objects')).body.results[0]).toEqual(line);
  });
});

describe('HEAD with a format', () => {
  const broken = "SELECT match(event, '(') FROM events"; // a 400 as soon as it runs
  const head = (name: string, query: string, accept = '*/*') =>
    fetch(`${api.api.url}${base}/${name}/run${query}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${acme.key}`, accept },
    });

  test.each([
    ['?format=csv', '*/*', 'text/csv; charset=utf-8; header=present'],
    ['', 'application/x-ndjson', 'application/x-ndjson'],
  ])('answers with the headers of its GET, and runs nothing: %s %s', async (query, accept, type) => {
    const name = await save(broken);
    const { status, headers } = await head(name, query, accept);
    expect([
      status,
      headers.get('content-type'),
      headers.get('x-endpoint-version'),
      headers.get('cache-control'),
      headers.get('content-length'),
    ]).toEqual([200, type, '1', 'no-store', null]);
    expect((await get(name, query, accept)).status).toBe(400);
    expect((await lastEntry(name)).message).toMatch(/error=cannot_compile_regexp$/);
    expect(
      (await api.as(acme.key).send<{ results: unknown[] }>('get', `${base}/${name}/logs`)).body.results,
    ).toHaveLength(1);
  });

  test('is refused as its GET is', async () => {
    const name = await save('SELECT 1');
    expect([
      (await head(name, '?format=csv&variables[x]=1')).status,
      (await head(name, '?format=parquet')).status,
      (await head('there-is-none', '?format=csv')).status,
    ]).toEqual([400, 400, 404]);
  });
});

describe('errors', () => {
  test.each([
    [
      'a format that is none',
      '?format=parquet',
      {
        attr: 'format',
        error:
          'Invalid format parameter: parquet. Choose one of: json, objects, csv, ndjson, svg, svg-light, svg-dark.',
      },
    ],
    ['no format', '?format=', { attr: 'format' }],
    ['an unknown variable', '?format=csv&variables[x]=1', { attr: 'variables' }],
    ['an offset without limit', '?format=csv&offset=1', { attr: 'offset' }],
    ['refresh direct', '?format=csv&refresh=direct', { attr: 'refresh' }],
  ])('%s is a 400', async (_name, query, expected) => {
    const { status, body } = await get(await save('SELECT 1'), query);
    expect([status, body]).toEqual([400, expect.objectContaining(expected)]);
  });

  test.each([
    ['rows with names where two columns have the same', 'SELECT event, event FROM events', 'ndjson', 'query_error'],
    ['more rows than a stream may have', 'SELECT 1 AS one FROM numbers(400001)', 'csv', 'query_result_too_large'],
    [
      'what the engine refuses before it answers',
      "SELECT match(event, '(') FROM events",
      'ndjson',
      'cannot_compile_regexp',
    ],
  ])('%s: 400, in the logs too', async (_name, sql, format, code) => {
    const name = await save(sql);
    const { status, body } = await get(name, `?format=${format}`);
    expect([status, body]).toEqual([400, { type: 'validation_error', code, attr: null, detail: expect.any(String) }]);
    expect(await lastEntry(name)).toMatchObject({
      level: 'ERROR',
      message: expect.stringMatching(
        new RegExp(`^Endpoint run failed · path=inline cache=miss duration_ms=\\d+ version=1 error=${code}$`),
      ),
    });
  });
});

test('a query that takes too long before its first row is a 400', async () => {
  const hasty = await api.startProcess({ QUERY_SECONDS_MAX: '1' });
  const name = await save(
    'SELECT count() FROM numbers(1000000) a JOIN numbers(800011) b ON 1 = 1 WHERE a.number * b.number = 7',
  );
  const { status, body } = await api.as(acme.key, hasty).send('get', `${base}/${name}/run?format=csv`);
  expect([status, body.code]).toEqual([400, 'query_timeout']);
  await eventually(async () =>
    expect(
      await askEngine(
        "SELECT count() FROM system.processes WHERE query LIKE '%800011%' AND query NOT LIKE '%processes%'",
      ),
    ).toBe('0'),
  );
  await hasty.stop();
});

describe('a stream', () => {
  const wide = "SELECT number AS n, repeat('x', 300) AS filler FROM numbers(250000)";

  test('of 250,000 rows takes little memory even with a slow reader, and arrives whole', async () => {
    const name = await save(wide);
    const response = await open(name, '?format=ndjson');
    expect(response.statusCode).toBe(200);
    const before = process.memoryUsage();
    response.pause();
    // When the count stays the same, everything that is sent waits in buffers.
    let waiting = -1;
    await eventually(
      () => {
        const now = response.socket.bytesRead;
        const isStill = now === waiting;
        waiting = now;
        expect(isStill).toBe(true);
      },
      { intervalMs: 200 },
    );
    const { rss, arrayBuffers } = process.memoryUsage();
    expect(
      await askEngine(
        "SELECT count() FROM system.processes WHERE user = 'tenant' AND query LIKE '%250000%' AND query NOT LIKE '%processes%'",
      ),
    ).toBe('1');
    expect(rss - before.rss).toBeLessThan(24_000_000);
    expect(arrayBuffers - before.arrayBuffers).toBeLessThan(16_000_000);
    let [lines, bytes] = [0, 0];
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      for (let at = (chunk as Buffer).indexOf(10); at !== -1; at = (chunk as Buffer).indexOf(10, at + 1)) lines += 1;
    }
    expect([lines, bytes > 80_000_000, response.complete]).toEqual([250_000, true, true]);
    expect(response.trailers).toEqual({
      'x-row-count': '250000',
      'x-statistics': expect.stringMatching(/^\{"elapsed":[\d.]+,"rows_read":250000,"bytes_read":2000000\}$/),
    });
    expect((await lastEntry(name)).message).toMatch(
      /^Endpoint run succeeded · path=inline cache=miss duration_ms=\d+ rows=250000 version=1$/,
    );
  });

  test('that fails in between is cut, tells nothing of the engine, and is logged', async () => {
    const name = await save(
      "SELECT repeat('x', 100) AS filler, intDiv(length('secret'), if(number = 290000, 0, 1)) AS words FROM numbers(300000)",
    );
    for (const format of ['csv', 'ndjson']) {
      const response = await open(name, `?format=${format}`);
      let text = '';
      if (response.statusCode !== 200) throw new Error(await textOf(response));
      await expect(async () => {
        for await (const chunk of response) text += (chunk as Buffer).toString();
      }).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect([response.complete, text.length > 500_000, /secret|repeat|exception/i.test(text)]).toEqual([
        false,
        true,
        false,
      ]);
    }
    expect((await lastEntry(name)).message).toMatch(/^Endpoint run failed .* error=illegal_division$/);
  });

  test('ends its query and frees its slot when its client disconnects', async () => {
    const name = await save(`${wide} UNION ALL SELECT number, 'gone' FROM numbers(100000)`);
    const response = await open(name, '?format=csv');
    const second = await get(name, '?format=csv');
    expect([second.status, second.body.code]).toEqual([429, 'throttled']);
    expect((await get(name, '')).status).toBe(200);
    response.on('error', () => undefined).destroy();
    await eventually(async () =>
      expect(
        await askEngine(
          "SELECT count() FROM system.processes WHERE user = 'tenant' AND query LIKE '%gone%' AND query NOT LIKE '%processes%'",
        ),
      ).toBe('0'),
    );
    await eventually(async () => expect((await get(name, '?format=csv&limit=1')).status).toBe(200));
    await eventually(async () => {
      const { body } = await api
        .as(acme.key)
        .send<{ results: { message: string }[] }>('get', `${base}/${name}/logs?search=cancelled`);
      expect(body.results).toHaveLength(1);
    });
  });

  test('does not write to the result cache, and does not read from it', async () => {
    const name = await save('SELECT count() FROM events');
    const isKept = async () => ((await get(name, '')).body as unknown as { is_cached: boolean }).is_cached;
    const count = async () => (await get(name, '?format=csv')).text.split('\n')[1];
    expect([await count(), await isKept(), await count(), await isKept()]).toEqual(['10', false, '10', true]);
  });

  test('is recorded with its rows and the rows read for it', async () => {
    const name = await save('SELECT event FROM events');
    const response = await open(name, '?format=csv');
    expect((await textOf(response)).split('\n')).toHaveLength(12);
    await lastEntry(name);
    const report = await save(
      `SELECT query_id, result_rows, read_rows > 10, cache, error_code FROM query_log WHERE name = '${name}'`,
    );
    expect((await get(report, '?refresh=force')).body.results).toEqual([
      [response.headers['x-execution-id'], 10, 1, 'miss', ''],
    ]);
    await eventually(async () =>
      expect((await api.as(acme.key).send('get', `${base}/${name}`)).body.last_executed_at).not.toBeNull(),
    );
    expect(await (await fetch(`${api.api.operationsUrl()}/metrics`)).text()).toMatch(
      /^millrace_api_query_seconds_count\{(?=.*kind="stream").*outcome="ok".*\} \d+$/m,
    );
  });
});

test('other runs report what they read too; cached ones report 0', async () => {
  const name = await save('SELECT event FROM events LIMIT 3');
  const statistics = async () => (await get(name, '')).body as unknown as object;
  expect(await statistics()).toMatchObject({
    is_cached: false,
    row_count: 3,
    statistics: { elapsed: expect.any(Number), rows_read: expect.any(Number), bytes_read: expect.any(Number) },
  });
  expect(await statistics()).toMatchObject({
    is_cached: true,
    row_count: 3,
    statistics: { elapsed: 0, rows_read: 0, bytes_read: 0 },
  });
});
