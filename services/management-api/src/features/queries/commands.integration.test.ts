import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

type Body = ReplyBody & { results: unknown[][]; columns: string[]; value: string; isValid: boolean };
let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}`;
});
afterAll(() => api?.stop());

const send = (path: string, body: object, key = acme.key) => api.as(key).send<Body>('post', path).send(body);
const query = (sql: string, more: object = {}) =>
  send(`${base}/query`, { query: { kind: 'HogQLQuery', query: sql, ...more } });
const foreign = /analytics|person_overrides|person_contents|team_id|getClientHTTPHeader|SHA256/;

describe('SHOW, DESCRIBE and EXPLAIN are answered as queries', () => {
  test('SHOW TABLES: the tables of the language, and none of the server', async () => {
    const { status, body } = await query('SHOW TABLES');
    expect([status, body.columns]).toEqual([200, ['name', 'comment']]);
    expect(body.results.map(([name]) => name)).toEqual([
      'events',
      'persons',
      'person_distinct_ids',
      'groups',
      'sessions',
      'ingestion_warnings',
      'query_log',
      'log_entries',
      'trace_reviews',
      'trace_scores',
      'score_definitions',
      'error_tracking_issues',
      'error_tracking_fingerprints',
    ]);
    expect((await query("show tables like '%log%'")).body.results.map(([name]) => name)).toEqual([
      'query_log',
      'log_entries',
    ]);
  });

  test('DESCRIBE: columns by the names that queries have for them', async () => {
    const { body } = await query('DESCRIBE persons;');
    expect([body.columns, body.results]).toEqual([
      ['name', 'type', 'in_star'],
      [
        ['id', 'UUID', true],
        ['created_at', 'DateTime', true],
        ['properties', 'JSON', true],
        ['is_identified', 'Bool', true],
        ['last_seen_at', 'DateTime', true],
        ['pdi.distinct_id', 'String', false],
        ['pdi.person_id', 'UUID', false],
      ],
    ]);
    expect(JSON.stringify((await query('show columns from events')).body.results)).not.toMatch(foreign);
  });

  test("EXPLAIN: the plan in the author's words, without names of ours or values of the run", async () => {
    const sql =
      'explain select person.properties.email, count() from events where person_id = {variables.who} and timestamp > now() - interval 7 day group by 1';
    const variables = { a: { code_name: 'who', type: 'String', value: 'SECRET' } };
    const { status, text, body } = await query(sql, { variables });
    expect(status).toBe(200);
    expect(body.results.flat()).toEqual([
      'Group by email: count()',
      '  Filter person_id = {variables.who} and timestamp > now() - interval 7 day',
      '    Read events: person.properties.email, person_id, timestamp',
      '      Days: timestamp > now() - interval 7 day',
      '      Looked up for each row: person_id',
    ]);
    expect(text).not.toMatch(foreign);
    expect(body).toMatchObject({ warnings: [{ code: 'no_uuid' }] });
    expect(body.results.flat().join()).not.toContain('SECRET');
  });

  test('what the query itself is refused for, EXPLAIN is', async () => {
    const { status, body } = await query('explain select evnt from events');
    expect([status, body.detail]).toEqual([400, expect.stringContaining('Did you mean "event"?')]);
    expect((await query('explain select * from system.users')).status).toBe(400);
  });

  test('an editor can check whether they are valid', async () => {
    const metadata = (sql: string) =>
      send(`${base}/query`, { query: { kind: 'HogQLMetadata', language: 'hogQL', query: sql } });
    expect((await metadata('SHOW TABLES')).body).toMatchObject({ isValid: true });
    expect((await metadata('describe evnts')).body).toMatchObject({
      isValid: false,
      errors: [{ start: 9, end: 14, fix: 'events' }],
    });
  });

  test('endpoints answer them too: saved, in pages, as CSV, with a run token', async () => {
    const made = await send(`${base}/endpoints`, {
      name: 'columns',
      query: { kind: 'HogQLQuery', query: 'DESCRIBE groups' },
    });
    expect(made.status).toBe(201);
    const run = (more: string, key?: string) => send(`${base}/endpoints/columns/run${more}`, {}, key);
    expect((await run('?limit=2')).body).toMatchObject({
      results: [
        ['index', 'Int64', true],
        ['key', 'String', true],
      ],
      hasMore: true,
    });
    expect((await run('?format=csv')).text.split(/\r?\n/).slice(0, 2)).toEqual([
      '"name","type","in_star"',
      '"index","Int64",true',
    ]);
    const { body: token } = await send(`${base}/endpoints/columns/tokens`, { label: 'dashboard' });
    expect((await run('', token.value)).body.results).toHaveLength(5);
  });
});
