import { logicalTables } from '@millrace/query-language/schema/logical-schema.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../test/test-api.ts';

// The second project's rows hold a word that no reply to the first may ever hold.
const secret = 'SECRET-OF-THE-OTHER';

let api: TestApi;
let own: Awaited<ReturnType<TestApi['seed']>>;
let other: Awaited<ReturnType<TestApi['seed']>>;

beforeAll(async () => {
  api = await startTestApi();
  own = await api.seed('Own');
  other = await api.seed('Other');
  const row = (teamId: number, word: string) => ({
    team_id: teamId,
    event: word,
    distinct_id: word,
    properties: { word },
  });
  await api.insertEvents([
    row(own.projectId, 'ours'),
    row(own.projectId, 'ours'),
    ...Array.from({ length: 7 }, () => row(other.projectId, secret)),
  ]);
  await api.writer.insert({
    table: 'analytics.persons',
    format: 'JSONEachRow',
    values: [
      {
        team_id: other.projectId,
        id: crypto.randomUUID(),
        created_at: '2026-01-01 00:00:00.000000',
        is_identified: true,
        is_deleted: false,
        version: 1,
        properties_text: `{"word":"${secret}"}`,
        properties: { word: secret },
      },
    ],
  });
  const id = crypto.randomUUID();
  const copy = {
    team_id: other.projectId,
    id,
    created_at: '2026-01-01 00:00:00.000000',
    is_deleted: false,
    version: 1,
  };
  for (const [table, values] of Object.entries({
    trace_reviews: { trace_id: secret, comment: secret },
    trace_scores: { trace_id: secret, review_id: id, kind: 'categorical', categorical_values: [secret] },
    error_tracking_issues: { name: secret, description: secret, status: secret, assignee_role_id: secret },
    error_tracking_fingerprints: { fingerprint: secret, issue_id: id },
    score_definitions: { name: secret, description: secret, config: secret, tags: [secret] },
  }))
    await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values: [{ ...copy, ...values }] });
});
afterAll(() => api?.stop());

let made = 0;
async function attempt(
  sql: string,
  body: object = {},
  query: object = {},
): Promise<{ text: string; results: unknown[][] | undefined }> {
  const as = api.as(own.key);
  const path = `/api/projects/${own.projectId}/endpoints`;
  const name = `h${made++}`;
  const created = await as.send('post', path).send({ name, query: { kind: 'HogQLQuery', query: sql, ...query } });
  expect([sql, created.status < 500]).toEqual([sql, true]);
  if (created.status !== 201) return { text: created.text.replaceAll(sql, ''), results: undefined };
  const run = await as.send('post', `${path}/${name}/run`).send({ debug: false, ...body });
  expect([sql, run.status < 500, run.text]).toEqual([sql, true, run.text]);
  return { text: run.text.replace(JSON.stringify(sql), ''), results: run.body.results };
}

describe('every query returns only rows of its own project', () => {
  test('the plain case: both projects count their own', async () => {
    expect((await attempt('SELECT count(), uniq(event) FROM events')).results).toEqual([[2, 1]]);
    const path = `/api/projects/${other.projectId}/endpoints`;
    await api
      .as(other.key)
      .send('post', path)
      .send({ name: 'all', query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' } });
    expect((await api.as(other.key).send('get', `${path}/all/run`)).body.results).toEqual([[7]]);
  });

  test.each([
    'SELECT count() FROM events WHERE team_id = 2',
    'SELECT team_id FROM events',
    'SELECT event FROM events WHERE 1 OR 1 = 1',
    'SELECT event FROM events e WHERE e.team_id != 0',
    'SELECT event FROM analytics.events',
    'SELECT event FROM `analytics.events`',
    'SELECT event FROM `analytics`.`events`',
    'SELECT event FROM "events` FINAL SETTINGS log_comment"',
    "SELECT event FROM events SETTINGS log_comment = '2'",
    "SELECT event FROM (SELECT event FROM events SETTINGS log_comment = '2')",
    'SELECT event FROM events FORMAT JSON SETTINGS readonly = 0',
    'SELECT event FROM events) UNION ALL (SELECT event FROM analytics.events',
    'SELECT event FROM events UNION ALL SELECT event FROM events',
    'SELECT event FROM events; SELECT event FROM analytics.events',
    'SELECT event FROM events -- \n; SELECT 1',
    'SELECT event FROM events /* */ ; DROP TABLE analytics.events',
    "SELECT * FROM remote('127.0.0.1', analytics.events)",
    "SELECT * FROM url('http://127.0.0.1', CSV)",
    "SELECT * FROM merge('analytics', '.*')",
    'SELECT * FROM numbers(4)',
    "SELECT * FROM file('/etc/passwd')",
    "SELECT file('/etc/passwd')",
    "SELECT `file`('/etc/passwd')",
    "SELECT arrayMap(x -> file(x), ['/etc/passwd'])",
    "SELECT getSetting('log_comment')",
    "SELECT dictGet('d', 'k', 1)",
    'SELECT hostName(), currentUser(), version()',
    'SELECT query FROM system.query_log',
    'SELECT * FROM system.row_policies',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM schema_migrations',
    'WITH 2 AS team_id SELECT event FROM events WHERE team_id = 2',
    "WITH events AS (SELECT 'x' AS event) SELECT event FROM events",
    'SELECT event AS `team_id` FROM events ORDER BY `team_id`',
    'SELECT event AS "a` FROM analytics.events -- " FROM events',
    "SELECT event AS `x' OR 1=1 --` FROM events",
    'SELECT (SELECT count() FROM events) AS c',
    'SELECT event FROM events WHERE event IN (SELECT event FROM events)',
    'SELECT a.event FROM events a JOIN events b ON 1 = 1',
    'SELECT a.event FROM events a LEFT JOIN persons p ON p.id != a.person_id',
    'SELECT properties FROM persons',
    'SELECT person.properties.word FROM events',
    'SELECT * FROM trace_reviews',
    'SELECT * FROM error_tracking_issues',
    'SELECT name, description FROM system.error_tracking_issues',
    'SELECT i.name, f.fingerprint FROM error_tracking_fingerprints f JOIN error_tracking_issues i ON i.id = f.issue_id',
    'SELECT trace_id, categorical_values FROM trace_scores',
    'SELECT * FROM score_definitions',
    'SELECT r.comment FROM events e RIGHT JOIN trace_reviews r ON r.trace_id != e.event',
    'SELECT name FROM score_definitions WHERE is_deleted OR version = 1',
    'SELECT event FROM events PREWHERE 1 WHERE 1 SETTINGS additional_table_filters = {}',
    "SELECT event FROM events WHERE event = '\\' OR team_id != 0 --'",
    "SELECT event FROM events WHERE event = 'x\\\\' OR 1 = 1 --'",
    'INSERT INTO events SELECT * FROM events',
    "SELECT event FROM events INTO OUTFILE '/tmp/x'",
    'EXPLAIN SELECT event FROM events',
    'SYSTEM SHUTDOWN',
    'SELECT {p0:String} FROM events',
    'SELECT event FROM events LIMIT 1 BY team_id',
    'SELECT sleep(3)',
    'SELECT throwIf(1)',
  ])('%s', async (sql) => {
    const { text, results } = await attempt(sql);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(api.clickhouse.tokenSecret);
    expect(text).not.toContain('root:');
    // Counting or listing may never see more than the two rows (four where they are joined or united).
    expect(results?.length ?? 0).toBeLessThanOrEqual(4);
    expect(results?.flat() ?? []).not.toContain(7);
    expect(results?.flat() ?? []).not.toContain(9);
  });

  test('SHOW TABLES lists the tables of the language, and none of the engine', async () => {
    const { text, results } = await attempt('SHOW TABLES');
    const names = results?.map(([name]) => name) ?? [];
    expect(names.filter((name) => !logicalTables.has(String(name)))).toEqual([]);
    expect(names).toContain('events');
    expect(text).not.toMatch(/analytics|system|person_overrides|person_contents/);
  });

  const values = [
    "' OR 1=1 --",
    "x') UNION ALL SELECT event FROM analytics.events --",
    '\\',
    "\\'",
    '{variables.v}',
    '{p0:String}',
    '`',
    '"',
    '%',
    '\u2019',
    '0) SETTINGS log_comment = (2',
  ];
  test.each(values)('the variable value %j is a value', async (value) => {
    const variables = { v: { code_name: 'v', type: 'String' } };
    expect(
      (
        await attempt(
          'SELECT {variables.v}, count() FROM events WHERE event = {variables.v}',
          { variables: { v: value } },
          { variables },
        )
      ).results,
    ).toEqual([[value, 0]]);
    const list = { v: { code_name: 'v', type: 'List' } };
    expect(
      (
        await attempt(
          'SELECT count() FROM events WHERE event IN {variables.v}',
          { variables: { v: [value, 'ours'] } },
          { variables: list },
        )
      ).results,
    ).toEqual([[2]]);
    expect(
      (await attempt('SELECT count() FROM events WHERE event = {x}', {}, { values: { x: value } })).results,
    ).toEqual([[0]]);
  });

  // No rows would be kept, and shown as the truth.
  test('a process with an unknown secret gets an error, and no empty result', async () => {
    const stranger = await api.startProcess({ CLICKHOUSE_TOKEN_SECRET: 'another-secret-than-theirs' });
    const path = `/api/projects/${own.projectId}/endpoints`;
    await api
      .as(own.key)
      .send('post', path)
      .send({ name: 'counted', query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' } });
    const reply = await api.as(own.key, stranger).send('post', `${path}/counted/run`).send({});
    expect([reply.status, reply.body.code]).toEqual([500, 'error']);
    expect(reply.text).not.toMatch(/throwIf|token/);
    expect((await api.as(own.key).send('post', `${path}/counted/run`).send({})).body).toMatchObject({ results: [[2]] });
  });

  test("another project's endpoint is not there, by any name of the project", async () => {
    const path = (project: number | string) => `/api/projects/${project}/endpoints`;
    await api
      .as(other.key)
      .send('post', path(other.projectId))
      .send({ name: 'theirs', query: { kind: 'HogQLQuery', query: 'SELECT event FROM events' } });
    expect(
      (
        await api
          .as(own.key)
          .send('post', `${path(own.projectId)}/theirs/run`)
          .send({})
      ).status,
    ).toBe(404);
    expect(
      (
        await api
          .as(own.key)
          .send('post', `${path(other.projectId)}/theirs/run`)
          .send({})
      ).status,
    ).toBe(403);
    expect((await api.as(own.key).send('get', `${path('@current')}/theirs`)).status).toBe(404);
  });
});
