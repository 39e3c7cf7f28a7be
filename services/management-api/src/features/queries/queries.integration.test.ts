import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

type Body = ReplyBody & { id: string; code_name: string; results: unknown; count: number };
let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}`;
  await api.insertEvents(['a', 'b', 'b'].map((event) => ({ team_id: acme.projectId, event })));
});
afterAll(() => api?.stop());

const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, key = acme.key) => {
  const made = api.as(key).send<Body>(method, path);
  return body === undefined ? made : made.send(body);
};
const query = (definition: object, more: object = {}) =>
  send('post', `/api/environments/${acme.projectId}/query/`, { query: definition, ...more });
const hogql = (sql: string, more: object = {}) => ({ kind: 'HogQLQuery', query: sql, ...more });

describe('a query that is not saved (contract/clients B9)', () => {
  test('is run, and answered as the command line of the product reads it', async () => {
    const sql = 'SELECT event, count() AS total FROM events GROUP BY event ORDER BY event';
    const { status, body } = await query(hogql(sql), { refresh: 'blocking', client_query_id: 'mine', name: 'ignored' });
    expect([status, body]).toEqual([
      200,
      {
        results: [
          ['a', 1],
          ['b', 2],
        ],
        columns: ['event', 'total'],
        types: [
          ['event', 'String'],
          ['total', 'UInt64'],
        ],
        hasMore: false,
        warnings: [],
        limit: 50_000,
        offset: 0,
        query: sql,
        hogql: sql,
        clickhouse: expect.stringContaining('analytics.events'),
        timings: [
          { k: 'compile', t: expect.any(Number) },
          { k: 'engine', t: expect.any(Number) },
        ],
        timezone: 'UTC',
        is_cached: false,
        last_refresh: expect.any(String),
        error: null,
        client_query_id: 'mine',
      },
    ]);
  });

  test('takes values, declared variables with defaults, and those of the project', async () => {
    await send('post', `${base}/insight_variables/`, {
      name: 'Shared',
      type: 'Number',
      default_value: 5,
      code_name: 'shared',
    });
    const variables = { a: { code_name: 'own', value: 'b' } };
    const sql = 'SELECT {x}, {variables.own}, {variables.shared} + 1';
    expect((await query(hogql(sql, { values: { x: 1 }, variables }))).body.results).toEqual([[1, 'b', 6]]);
    const missing = await query(
      hogql('SELECT {variables.own}', { variables: { a: { code_name: 'own', type: 'String' } } }),
    );
    expect([missing.status, missing.body]).toEqual([
      400,
      expect.objectContaining({ attr: 'variables', code: 'required' }),
    ]);
  });

  test('leaves a row in query_log and a line in log_entries, as runs of endpoints do, without a value in it', async () => {
    const facts = (name: string): Promise<unknown[]> =>
      eventually(async () => {
        const sql = `SELECT error_code, result_rows, read_rows, path, cache, name, endpoint_version, client_query_id, message FROM query_log JOIN log_entries ON toString(query_id) = instance_id WHERE client_query_id = '${name}' AND log_source = 'queries' AND log_source_id = '${acme.projectId}'`;
        const { body } = await query(hogql(sql));
        expect(body.results).toHaveLength(1);
        return body.results[0] ?? [];
      });
    await query(hogql('SELECT event, {x} FROM events', { values: { x: 'VALUE' } }), { client_query_id: 'went-well' });
    expect(await facts('went-well')).toEqual([
      '',
      3,
      expect.any(Number),
      'inline',
      '',
      '',
      null,
      'went-well',
      expect.stringMatching(/^Query succeeded · path=inline duration_ms=\d+ rows=3$/),
    ]);
    await query(hogql('SELECT {variables.v}', { variables: { a: { code_name: 'v', type: 'Number' } } }), {
      client_query_id: 'was-refused',
    });
    expect(await facts('was-refused')).toEqual([
      'required',
      null,
      null,
      '',
      '',
      '',
      null,
      'was-refused',
      'Query failed · invalid request · This field is required. (variables)',
    ]);
    await query(
      hogql(
        "SELECT arrayElement([1], number - 1), toDecimal('1e30', 5), intDiv(length('VALUE'), number - 1) FROM numbers(3)",
      ),
      { client_query_id: 'failed' },
    );
    const failed = await facts('failed');
    expect(failed).toEqual([
      expect.stringMatching(/./),
      null,
      null,
      'inline',
      '',
      '',
      null,
      'failed',
      expect.stringMatching(/^Query failed · path=inline duration_ms=\d+ error=\w+$/),
    ]);
    expect(JSON.stringify(failed)).not.toContain('VALUE');
  });

  test.each([
    ['a name that is unknown', hogql('SELECT evnt FROM events'), 'evnt'],
    ['another statement', hogql('DROP TABLE events'), 'DROP'],
    ['an insight without series', { kind: 'TrendsQuery', series: [] }, 'query.series'],
    ['another kind', { kind: 'EventsQuery' }, 'TrendsQuery'],
    ['no kind', { query: 'SELECT 1' }, 'HogQLQuery'],
    ['no text', { kind: 'HogQLMetadata', query: 5 }, 'SELECT'],
  ])('%s is a 400 with the reason', async (_what, definition, word) => {
    const { status, body } = await query(definition);
    expect([status, body]).toEqual([
      400,
      { type: 'validation_error', code: 'invalid_input', attr: 'query', detail: expect.stringContaining(word) },
    ]);
  });

  test("sees the own project's rows alone, and wants its scope", async () => {
    const other = await api.seed('Other');
    const path = `/api/projects/${other.projectId}/query`;
    expect((await send('post', path, { query: hogql('SELECT count() FROM events') }, other.key)).body.results).toEqual([
      [0],
    ]);
    expect((await send('post', path, { query: hogql('SELECT 1') })).status).toBe(403);
    const { key } = await api.admin.createKey({ email: acme.email, scopes: ['endpoint:write'] });
    expect((await send('post', `${base}/query`, { query: hogql('SELECT 1') }, key)).status).toBe(403);
  });
});

describe('a query that is only read', () => {
  const check = async (sql: string, more: object = {}) =>
    (await query({ kind: 'HogQLMetadata', language: 'hogQL', query: sql, ...more })).body;

  test('is valid', async () => {
    expect(await check('SELECT 1 FROM events')).toEqual({
      query: 'SELECT 1 FROM events',
      isValid: true,
      isValidView: true,
      errors: [],
      warnings: [],
      notices: [],
      table_names: [],
    });
    expect(await check('SELECT {variables.x}', { variables: { v: { code_name: 'x' } } })).toMatchObject({
      isValid: true,
      isValidView: false,
    });
  });

  test('or valid, and hardly meant', async () =>
    expect(await check('SELECT now() - 7')).toMatchObject({
      isValid: true,
      errors: [],
      warnings: [{ message: expect.stringContaining('INTERVAL 7 DAY'), start: 15, end: 16 }],
    }));

  test('or names the error, its position and a suggestion', async () => {
    expect(await check('SELECT\n  evnt FROM events')).toMatchObject({
      isValid: false,
      errors: [{ message: expect.stringContaining('line 2'), start: 9, end: 13, fix: 'event' }],
    });
    expect(await check('SELEC 1')).toMatchObject({ isValid: false, errors: [{ start: 0, end: expect.any(Number) }] });
    expect(await check('SELECT {variables.gone}')).toMatchObject({
      isValid: false,
      errors: [{ message: expect.stringContaining('gone') }],
    });
  });
});

describe('variables that the queries of a project share', () => {
  const path = (): string => `/api/environments/${acme.projectId}/insight_variables/`;

  test('are made, listed, shown, changed and deleted', async () => {
    const made = await send('post', path(), { name: 'Event Type!', type: 'String' });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        name: 'Event Type!',
        code_name: 'event_type',
        type: 'String',
        default_value: null,
        created_by: expect.objectContaining({ id: acme.userId }),
      }),
    ]);
    const one = `${path()}${made.body.id}/`;
    expect((await send('get', one)).body).toEqual(made.body);
    expect((await send('get', path())).body.results).toContainEqual(made.body);
    expect((await send('patch', one, { default_value: 'x', name: 'Kind' })).body).toMatchObject({
      name: 'Kind',
      code_name: 'event_type',
      default_value: 'x',
    });
    expect((await send('patch', one, { default_value: null })).body).toMatchObject({
      name: 'Kind',
      default_value: null,
    });
    expect((await send('delete', one)).status).toBe(204);
    expect((await send('get', one)).status).toBe(404);
  });

  test.each([
    [{ name: 'x' }, 'type', 'required'],
    [{ name: 'x', type: 'Text' }, 'type', 'invalid_choice'],
    [{ name: 'x', type: 'Number', default_value: 'five' }, 'default_value', 'invalid_input'],
    [{ name: 'x', type: 'Number', code_name: 'a b' }, 'code_name', 'invalid_input'],
    [{ name: '!?', type: 'Number' }, 'code_name', 'required'],
  ])('%j is a 400', async (body, attr, code) => {
    const reply = await send('post', path(), body);
    expect([reply.status, reply.body.attr, reply.body.code]).toEqual([400, attr, code]);
  });

  test.each([
    ['Event Type', 'event_type'],
    [' (the) last -- DAY! ', 'the_last_day'],
    ['7 days', '_7_days'],
  ])('%j is called %s in queries, unless the request gives another name', async (name, codeName) => {
    const { status, body } = await send('post', path(), { name, type: 'Number', default_value: 3 });
    expect([status, body.code_name]).toEqual([201, codeName]);
    expect((await query(hogql(`SELECT {variables.${codeName}}`))).body.results).toEqual([[3]]);
  });

  test('keep a default that is of their type: neither changes alone to what does not fit the other', async () => {
    const { body: made } = await send('post', path(), { name: 'Fits', type: 'String', default_value: 'x' });
    const one = `${path()}${made.id}/`;
    for (const change of [{ type: 'Number' }, { default_value: ['x'] }, { type: 'Number', default_value: 'x' }]) {
      const { status, body } = await send('patch', one, change);
      expect([change, status, body.attr]).toEqual([change, 400, 'default_value']);
    }
    expect((await send('get', one)).body).toEqual(made);
    expect((await send('patch', one, { type: 'Number', default_value: 5 })).body).toEqual({
      ...made,
      type: 'Number',
      default_value: 5,
    });
  });

  test('have one code name each, and stay in their project', async () => {
    const [first, second] = [
      await send('post', path(), { name: 'Once', type: 'Date' }),
      await send('post', path(), { name: 'once', type: 'Date' }),
    ];
    expect([first.status, second.status, second.body.attr, second.body.code]).toEqual([
      201,
      400,
      'code_name',
      'unique',
    ]);
    const other = await api.seed('Elsewhere');
    const theirs = `/api/projects/${other.projectId}/insight_variables/`;
    expect((await send('post', theirs, { name: 'Once', type: 'Date' }, other.key)).status).toBe(201);
    expect((await send('get', `${theirs}${first.body.id}`, undefined, other.key)).status).toBe(404);
    await send('post', theirs, { name: 'A first', type: 'Number', default_value: 1 }, other.key);
    const { body } = await send('get', theirs, undefined, other.key);
    expect([
      body.count,
      (body.results as unknown as { code_name: string }[]).map(({ code_name: name }) => name),
    ]).toEqual([2, ['a_first', 'once']]);
    const elsewhere = await query(hogql('SELECT {variables.a_first}'));
    expect([elsewhere.status, elsewhere.body.attr]).toEqual([400, 'query']);
  });

  test('are taken over by an endpoint when it is saved: type, default, and the declaration itself', async () => {
    const { body: limit } = await send('post', path(), {
      name: 'Least',
      type: 'Number',
      default_value: 2,
      code_name: 'least',
    });
    const created = await send('post', `${base}/endpoints`, {
      name: 'takes-over',
      query: hogql('SELECT {variables.least} + 1'),
    });
    expect(created.body.query).toMatchObject({
      variables: { [limit.id]: { code_name: 'least', type: 'Number', value: 2 } },
    });
    await send('patch', `${path()}${limit.id}`, { default_value: 40 });
    expect((await send('post', `${base}/endpoints/takes-over/run`, {})).body.results).toEqual([[3]]);
    const declared = await send('patch', `${base}/endpoints/takes-over`, {
      query: hogql('SELECT {variables.least} + 1', {
        variables: { [limit.id]: { variableId: limit.id, code_name: 'least', value: 7 } },
      }),
    });
    expect(declared.body).toMatchObject({
      current_version: 2,
      query: { variables: { [limit.id]: { type: 'Number', value: 7 } } },
    });
    // Missing and null fields of a declaration come from the project's variable.
    for (const more of [{}, { type: null, value: null, isNull: null }]) {
      expect(
        (await query(hogql('SELECT {variables.least} + 1', { variables: { a: { code_name: 'least', ...more } } }))).body
          .results,
      ).toEqual([[41]]);
    }
  });
});
