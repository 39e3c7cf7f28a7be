import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { queryAs, temporaryFolder } from '@millrace/engines/canary-setup.ts';
import type { ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { query, queryAsTeam, serverSecrets, startServer, tokenOf, withToken } from '../query/test-server.ts';
import { projectTableStatement, projectViewStatement, type ProjectTable } from './project-view.ts';
import { tenantHeaders, tenantTokenError } from './tenant-token.ts';

// The user `tenant` sends any SQL here: the compiler, which would let none of it through, is the other wall.

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;
let url: string;

const tableOf = (teamId: number): ProjectTable => ({
  name: `t${teamId}`,
  teamId,
  columns: [
    { name: 'c0', type: 'Nullable(String)', isKey: true },
    { name: 'c1', type: 'Int64', isKey: false },
  ],
});

const viewOf = (teamId: number, secret = serverSecrets.tokenSecret): string =>
  projectViewStatement(tableOf(teamId), tenantHeaders(secret, teamId));

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startServer(folder.path);
  url = engine.url;
  for (const database of ['analytics', 'materialized', 'internal'])
    await query(url, 'admin', `CREATE DATABASE ${database}`);
  for (const teamId of [1, 2]) {
    await query(url, 'materializer', projectTableStatement(tableOf(teamId)));
    await query(
      url,
      'materializer',
      `INSERT INTO internal.t${teamId} (c0, c1) SELECT 'key ${teamId} ' || leftPad(toString(number), 6, '0'), ${teamId} FROM numbers(100000)`,
    );
    await query(url, 'materializer', viewOf(teamId));
  }
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

/** The text of the reply, or of ClickHouse's error. */
const shown = async (reply: Promise<string>): Promise<string> => await reply.catch((error: unknown) => String(error));

describe('a view of a project', () => {
  test('shows its rows to the token of the project, and reads no more of them than the key says', async () => {
    const reply = await queryAsTeam(
      url,
      1,
      "SELECT sum(c1), count() FROM materialized.t1 WHERE c0 = 'key 1 050000' FORMAT JSONCompact",
      { output_format_json_quote_64bit_integers: 0 },
    );
    const { data, statistics } = JSON.parse(reply) as { data: unknown[]; statistics: { rows_read: number } };
    expect(data).toEqual([[1, 1]]);
    expect(statistics.rows_read).toBeLessThan(17_000);
    expect(await queryAsTeam(url, 1, 'SELECT count() FROM materialized.t1')).toBe('100000');
    expect(await queryAsTeam(url, 1, "SELECT count() FROM merge('materialized', '^t1$')")).toBe('100000');
    expect(await queryAsTeam(url, 2, 'SELECT sum(c1) FROM materialized.t2')).toBe('200000');
  });

  const otherRow = "c0 = 'key 1 050000'";
  const selects = [
    'SELECT count() FROM materialized.t1',
    `SELECT * FROM materialized.t1 WHERE ${otherRow}`,
    "SELECT * FROM materialized.t1 WHERE c0 = 'a key that is not there'",
    'SELECT min(c0), max(c0) FROM materialized.t1',
    'SELECT * FROM materialized.t1 LIMIT 0',
    "SELECT count() FROM merge('materialized', '^t1$')",
    "SELECT count() FROM merge('materialized', '.*')",
    'SELECT count() FROM materialized.t2 UNION ALL SELECT count() FROM materialized.t1',
    'SELECT (SELECT count() FROM materialized.t1)',
    'SELECT 1 WHERE 1 IN (SELECT c1 FROM materialized.t1)',
    'SELECT count() FROM materialized.t2 AS a LEFT JOIN materialized.t1 AS b ON a.c0 = b.c0',
    ...[
      'allow_get_client_http_header = 0',
      'enable_analyzer = 0',
      "additional_table_filters = '{}', use_query_condition_cache = 1",
      'use_index_for_in_with_subqueries = 0',
      'use_index_for_in_with_subqueries_max_values = 1',
      'query_plan_enable_optimizations = 0',
      'query_plan_filter_push_down = 0',
      'use_primary_key = 0',
      "log_comment = '1'",
    ].flatMap((settings) => [
      `SELECT * FROM (SELECT count() FROM materialized.t1 WHERE ${otherRow} SETTINGS ${settings})`,
      `SELECT count() FROM materialized.t1 WHERE ${otherRow} SETTINGS ${settings}`,
      `WITH t AS (SELECT * FROM materialized.t1 SETTINGS ${settings}) SELECT count() FROM t WHERE ${otherRow}`,
      `SELECT count() FROM merge('materialized', '^t1$') WHERE ${otherRow} SETTINGS ${settings}`,
    ]),
  ];
  const explained = [
    'EXPLAIN indexes = 1, actions = 1',
    'EXPLAIN ESTIMATE',
    'EXPLAIN PIPELINE',
    'EXPLAIN QUERY TREE',
    'EXPLAIN SYNTAX',
  ];
  const statements = ['', ...explained].flatMap((before) => selects.map((select) => `${before} ${select}`.trim()));
  const senders: Readonly<Record<string, Record<string, string>>> = {
    'the token of another project': { ...tenantHeaders(serverSecrets.tokenSecret, 2) },
    'no token': {},
    'the name of the project and another token': { ...withToken(tokenOf(2), '1').headers },
  };

  test.each(Object.entries(senders))('shows nothing to a query with %s', async (_name, headers) => {
    for (const statement of statements) {
      const reply = await shown(query(url, 'tenant', statement, { headers }));
      // These read the query alone.
      if (!/^EXPLAIN (QUERY TREE|SYNTAX)/.test(statement))
        expect([statement, reply]).toEqual([
          statement,
          expect.stringMatching(new RegExp(`${tenantTokenError}|FUNCTION_NOT_ALLOWED|READONLY|INCORRECT_QUERY`)),
        ]);
      expect(reply).not.toMatch(/key 1 0[0-46-9]|key 1 000000|100000|8192|Granules/);
      expect(reply).not.toContain(serverSecrets.tokenSecret);
    }
  });

  test.each([
    'SHOW CREATE TABLE materialized.t1',
    'SELECT * FROM system.tables',
    'SELECT * FROM system.columns',
    'SELECT * FROM system.row_policies',
    'SELECT * FROM system.parts',
    'SELECT * FROM system.processes',
    'EXPLAIN actions = 1, indexes = 1 SELECT count() FROM materialized.t1',
    'EXPLAIN json = 1, actions = 1, indexes = 1, description = 1 SELECT count() FROM materialized.t1',
    'SELECT throwIf(1) FROM materialized.t1',
  ])('keeps the secret, the tokens and the number of rows of others: %s', async (statement) => {
    for (const teamId of [1, 2]) {
      const reply = await shown(queryAsTeam(url, teamId, statement));
      expect(reply).not.toContain(serverSecrets.tokenSecret);
      expect(reply).not.toContain(tokenOf(1));
      if (teamId === 2) expect(reply).not.toMatch(/100000|8192/);
    }
  });

  test('opens to no token that was made with another secret', async () => {
    await query(url, 'materializer', projectTableStatement(tableOf(3)));
    await query(url, 'materializer', viewOf(3, 'the secret of before'));
    await expect(queryAsTeam(url, 3, 'SELECT count() FROM materialized.t3')).rejects.toThrow(tenantTokenError);
  });

  test('is the only way to the table', async () => {
    for (const statement of [
      'SELECT * FROM internal.t1',
      "SELECT * FROM merge('internal', '.*')",
      'EXISTS TABLE internal.t1',
      'SELECT * FROM mergeTreeIndex(internal, t1)',
      'INSERT INTO internal.t1 (c1) VALUES (1)',
      'DROP VIEW materialized.t1',
      'DROP TABLE materialized.t1',
    ])
      expect([statement, await shown(queryAsTeam(url, 1, statement))]).toEqual([
        statement,
        expect.stringMatching(/ACCESS_DENIED|READONLY|BAD_ARGUMENTS|CANNOT_EXTRACT_TABLE_STRUCTURE|UNKNOWN/),
      ]);
  });
});

// It sends queries of users; the compiler, which lets none of these through, is the other wall.
describe('the materializer', () => {
  test.each([
    'SELECT * FROM internal.t1',
    'INSERT INTO internal.t2 (c0, c1) SELECT c0, c1 FROM internal.t1',
    'DESCRIBE (SELECT * FROM internal.t1)',
    "SELECT * FROM merge('internal', '.*')",
    'SELECT * FROM mergeTreeIndex(internal, t1)',
    'INSERT INTO internal.t2 (c0, c1) SELECT c0, c1 FROM materialized.t1',
    'SELECT * FROM materialized.t1',
    "SELECT * FROM merge('materialized', '.*')",
    'SELECT (SELECT any(c0) FROM internal.t1)',
    'EXPLAIN indexes = 1 SELECT * FROM internal.t1',
  ])('reads no table of another project: %s', async (statement) => {
    for (const options of [{}, withToken(tokenOf(2), '2')]) {
      const reply = await shown(query(url, 'materializer', statement, options));
      expect(reply).toMatch(
        new RegExp(`ACCESS_DENIED|BAD_ARGUMENTS|CANNOT_EXTRACT_TABLE_STRUCTURE|UNKNOWN|${tenantTokenError}`),
      );
      expect(reply).not.toContain('key 1');
    }
    expect(await query(url, 'admin', 'SELECT uniqExact(c1) FROM internal.t2')).toBe('1');
  });

  test('copies the table of a project through its view, with the token of that project', async () => {
    await query(url, 'materializer', projectTableStatement(tableOf(5)));
    const copy = 'INSERT INTO internal.t5 (c0, c1) SELECT c0, c1 FROM materialized.t1';
    await expect(query(url, 'materializer', copy)).rejects.toThrow(tenantTokenError);
    await query(url, 'materializer', copy, withToken(tokenOf(1), '1'));
    expect(await query(url, 'admin', 'SELECT count() FROM internal.t5')).toBe('100000');
    await query(url, 'materializer', 'DROP TABLE internal.t5');
  });

  test('knows the size of a table, and has the types of a query, without a right to read', async () => {
    const sizes = "SELECT total_rows FROM system.tables WHERE database = 'internal' AND name = 't1'";
    expect(await query(url, 'materializer', sizes)).toBe('100000');
    expect(await query(url, 'materializer', 'DESCRIBE (SELECT 1 AS c) FORMAT TSV')).toContain('UInt8');
  });

  test.each([
    'CREATE TABLE materialized.t (x Int8) ENGINE = MergeTree ORDER BY x',
    'CREATE TABLE materialized.t ENGINE = MergeTree ORDER BY c1 AS SELECT c1 FROM internal.t1',
    'CREATE DICTIONARY materialized.d (x UInt64) PRIMARY KEY x SOURCE(NULL()) LAYOUT(FLAT()) LIFETIME(0)',
    "CREATE TABLE internal.u (x Int8) ENGINE = URL('http://127.0.0.1/', CSV)",
    "CREATE TABLE internal.u (x String) ENGINE = File('LineAsString', '/etc/hostname')",
    'RENAME TABLE internal.t1 TO materialized.t',
    'ALTER TABLE internal.t1 DELETE WHERE 1',
    'INSERT INTO materialized.t1 (c1) VALUES (1)',
    'CREATE TABLE analytics.t (x Int8) ENGINE = MergeTree ORDER BY x',
    'CREATE VIEW materialized.v (c Int8) DEFINER = admin SQL SECURITY DEFINER AS SELECT 1',
    'CREATE VIEW analytics.v AS SELECT 1',
  ])('makes tables in `internal` and views in `materialized`, and nothing else: %s', async (statement) => {
    await expect(query(url, 'materializer', statement)).rejects.toThrow('ACCESS_DENIED');
  });

  test('takes its tables and views away', async () => {
    await query(url, 'materializer', projectTableStatement(tableOf(4)));
    await query(url, 'materializer', viewOf(4));
    await query(url, 'materializer', 'DROP VIEW IF EXISTS materialized.t4');
    await query(url, 'materializer', 'DROP TABLE IF EXISTS internal.t4');
    expect(await query(url, 'admin', "SELECT count() FROM system.tables WHERE name = 't4'")).toBe('0');
  });
});

test.each(['', '0'.repeat(64), serverSecrets.materializer])(
  'nobody logs in as the definer: password %j',
  async (password) => {
    await expect(queryAs({ user: 'definer', password }, url, 'SELECT 1')).rejects.toThrow('AUTHENTICATION_FAILED');
  },
);

test.each(['a b', 'a; DROP', 'T', '', 'a.b', '`a`'])('no statement is made with the name %j', (name) => {
  expect(() => projectTableStatement({ ...tableOf(1), name })).toThrow('not a plain name');
  const headers = tenantHeaders(serverSecrets.tokenSecret, 1);
  expect(() => projectViewStatement({ ...tableOf(1), name }, headers)).toThrow('not a plain name');
  const columns = [{ name, type: 'Int64', isKey: true }];
  expect(() => projectTableStatement({ ...tableOf(1), columns })).toThrow('not a plain name');
  expect(() => projectViewStatement({ ...tableOf(1), columns }, headers)).toThrow('not a plain name');
});

test('no view is made for an empty token, which every query without one has', () => {
  expect(() => projectViewStatement(tableOf(1), {})).toThrow('no token');
});
