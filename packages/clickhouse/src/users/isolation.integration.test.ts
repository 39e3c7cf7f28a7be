import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { mirroredTables } from '@millrace/contracts/tables/mirrored-tables.ts';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import type { ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { tenantHeaders, tenantTokenError } from './tenant-token.ts';
import {
  query,
  queryAsTeam,
  policyTables,
  serverSecrets,
  startServer,
  tokenOf,
  withToken,
} from '../query/test-server.ts';

/** A server keeps what it logs of queries, as one in production does. */
async function keepServerLogs(folder: string): Promise<void> {
  const more = join(folder, 'clickhouse', 'millrace-config.d');
  await mkdir(more, { recursive: true });
  await writeFile(
    join(more, 'logs.xml'),
    '<clickhouse><query_log><database>system</database><table>query_log</table></query_log></clickhouse>',
  );
}

// The document as the local system has it, and as production has it (docs/production.md).
describe.each(['loopback', 'anywhere'] as const)('users from %s', (from) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let engine: ClickhouseEngine;
  let url: string;

  const rightToken = tokenOf(1);
  const otherToken = tokenOf(2);

  beforeAll(async () => {
    folder = await temporaryFolder();
    await keepServerLogs(folder.path);
    engine = await startServer(folder.path, from);
    url = engine.url;
    for (const database of ['analytics', 'materialized', 'internal'])
      await query(url, 'admin', `CREATE DATABASE ${database}`);
    for (const table of [...policyTables, 'hidden']) {
      await query(
        url,
        'admin',
        `CREATE TABLE analytics.${table} (team_id Int64, x String) ENGINE = MergeTree ORDER BY team_id SETTINGS index_granularity = 8`,
      );
      await query(
        url,
        'admin',
        `INSERT INTO analytics.${table} SELECT intDiv(number, 1000), concat('of team ', toString(intDiv(number, 1000))) FROM numbers(4000)`,
      );
    }
  });
  afterAll(async () => {
    await engine.stop();
    await folder.remove();
  });

  describe('users and grants', () => {
    test('tenant reads exactly the listed tables and writes nothing', async () => {
      for (const table of policyTables)
        expect(await queryAsTeam(url, 1, `SELECT count() FROM analytics.${table}`)).toBe('1000');
      await expect(queryAsTeam(url, 1, 'SELECT count() FROM analytics.hidden')).rejects.toThrow('ACCESS_DENIED');
      for (const statement of [
        "INSERT INTO analytics.events VALUES (1, 'x')",
        'CREATE TABLE materialized.t (x Int64) ENGINE = Memory',
        'CREATE TEMPORARY TABLE t (x Int64)',
        'ALTER TABLE analytics.events DELETE WHERE 1',
        'DROP TABLE analytics.events',
        "SELECT dictGet('d', 'x', 1)",
        "SELECT * FROM file('/etc/hostname', 'LineAsString')",
        "SELECT * FROM url('http://127.0.0.1/', 'LineAsString')",
        "SELECT * FROM remote('127.0.0.1', system.one)",
        'SYSTEM FLUSH LOGS',
        'SHOW CREATE ROW POLICIES',
      ]) {
        await expect(queryAsTeam(url, 1, statement)).rejects.toThrow(/ACCESS_DENIED|READONLY|BAD_ARGUMENTS/);
      }
    });

    test('writer reads and inserts all teams in analytics, and nothing else', async () => {
      expect(await query(url, 'writer', 'SELECT count() FROM analytics.events')).toBe('4000');
      await expect(query(url, 'writer', 'DROP TABLE analytics.events')).rejects.toThrow('ACCESS_DENIED');
      await expect(query(url, 'writer', 'CREATE TABLE materialized.t (x Int64) ENGINE = Memory')).rejects.toThrow(
        'ACCESS_DENIED',
      );
    });

    test('materializer builds in its own databases, and reads tenants’ tables only with a token', async () => {
      await query(
        url,
        'materializer',
        'CREATE TABLE internal.built (x Int64) ENGINE = MergeTree ORDER BY x AS SELECT 1 AS x',
      );
      await expect(query(url, 'materializer', 'SELECT count() FROM analytics.events')).rejects.toThrow(
        tenantTokenError,
      );
      expect(await query(url, 'materializer', 'SELECT count() FROM analytics.events', withToken(rightToken))).toBe(
        '1000',
      );
      await expect(query(url, 'materializer', "INSERT INTO analytics.events VALUES (1, 'x')")).rejects.toThrow(
        'ACCESS_DENIED',
      );
      await expect(queryAsTeam(url, 1, 'SELECT * FROM internal.built')).rejects.toThrow('ACCESS_DENIED');
    });

    test('the recorder adds to the logs and copies, and neither reads, changes nor adds to anything else', async () => {
      for (const table of ['query_log', 'log_entries', ...mirroredTables.map(({ name }) => name)]) {
        await query(
          url,
          'admin',
          `CREATE TABLE analytics.${table} (team_id Int64, x String) ENGINE = MergeTree ORDER BY team_id`,
        );
        await query(url, 'recorder', `INSERT INTO analytics.${table} VALUES (1, 'x')`);
        expect(await query(url, 'admin', `SELECT count() FROM analytics.${table}`)).toBe('1');
        for (const statement of [
          `SELECT count() FROM analytics.${table}`,
          `INSERT INTO analytics.${table} SELECT * FROM analytics.events`,
          `INSERT INTO analytics.${table} SELECT 1, name FROM system.users`,
          `INSERT INTO analytics.${table} SELECT 1, * FROM url('http://127.0.0.1/', 'LineAsString')`,
          `TRUNCATE TABLE analytics.${table}`,
          `DROP TABLE analytics.${table}`,
          `ALTER TABLE analytics.${table} DELETE WHERE 1`,
        ]) {
          expect([statement, await query(url, 'recorder', statement).catch((error: unknown) => String(error))]).toEqual(
            [statement, expect.stringMatching(/ACCESS_DENIED|^$/)],
          );
        }
        expect(await query(url, 'admin', `SELECT count() FROM analytics.${table}`)).toBe('1');
      }
      for (const statement of [
        "INSERT INTO analytics.events VALUES (1, 'x')",
        'SELECT count() FROM analytics.events',
        'SELECT count() FROM analytics.hidden',
        'CREATE TABLE analytics.mine (x Int8) ENGINE = Memory',
        'CREATE DATABASE mine',
      ]) {
        await expect(query(url, 'recorder', statement)).rejects.toThrow('ACCESS_DENIED');
      }
    });

    test('the maintainer, who squashes overrides into events, can take none of them away, add none, and see nothing of what is in them', async () => {
      for (const statement of [
        'ALTER TABLE analytics.events DELETE WHERE 1',
        'ALTER TABLE analytics.events UPDATE x = 1 WHERE 1',
        'TRUNCATE TABLE analytics.events',
        'DROP TABLE analytics.events',
        "INSERT INTO analytics.events VALUES (1, 'x')",
        'SELECT x FROM analytics.events',
      ]) {
        await expect(query(url, 'maintainer', statement)).rejects.toThrow('ACCESS_DENIED');
      }
    });

    test('users and policies are frozen: SQL cannot add to them', async () => {
      await expect(query(url, 'admin', 'CREATE USER x')).rejects.toThrow();
      await expect(query(url, 'admin', 'CREATE ROW POLICY p ON analytics.hidden USING 1 TO ALL')).rejects.toThrow();
    });
  });

  describe('the tenant’s settings', () => {
    test('limits can be lowered and set up to their maxima, not beyond, not off', async () => {
      expect(await queryAsTeam(url, 1, "SELECT getSetting('max_execution_time')", { max_execution_time: 5 })).toBe('5');
      await expect(queryAsTeam(url, 1, 'SELECT 1', { max_execution_time: 100_000 })).rejects.toThrow(
        'SETTING_CONSTRAINT_VIOLATION',
      );
      await expect(queryAsTeam(url, 1, 'SELECT 1', { max_execution_time: 0 })).rejects.toThrow(
        'SETTING_CONSTRAINT_VIOLATION',
      );
      await expect(queryAsTeam(url, 1, 'SELECT x FROM analytics.events', { max_result_rows: 10 })).rejects.toThrow(
        'TOO_MANY_ROWS_OR_BYTES',
      );
    });

    test('a query may stand back behind others, and not before them', async () => {
      expect(
        await queryAsTeam(url, 1, "SELECT getSetting('os_threads_nice_value_query')", {
          os_threads_nice_value_query: 10,
        }),
      ).toBe('10');
      for (const os_threads_nice_value_query of [-1, 20])
        await expect(queryAsTeam(url, 1, 'SELECT 1', { os_threads_nice_value_query })).rejects.toThrow(
          'SETTING_CONSTRAINT_VIOLATION',
        );
    });

    test('every other setting is refused', async () => {
      for (const settings of [
        { readonly: 0 },
        { allow_ddl: 1 },
        { use_query_cache: 1 },
        { additional_table_filters: "{'analytics.events': '1'}" },
        { row_policy: 'x' },
        { max_insert_threads: 2 },
      ]) {
        await expect(queryAsTeam(url, 1, 'SELECT 1', settings)).rejects.toThrow(
          /READONLY|SETTING_CONSTRAINT_VIOLATION|UNKNOWN_SETTING|QUERY_IS_PROHIBITED/,
        );
      }
      await expect(queryAsTeam(url, 1, 'SET readonly = 0')).rejects.toThrow(/READONLY|SETTING_CONSTRAINT_VIOLATION/);
    });

    test('are what our client sends too', async () => {
      const client = createClient({ url, username: 'tenant', password: serverSecrets.tenant });
      const rows = await client.query({
        query: 'SELECT count() AS c FROM analytics.events WHERE x = {x:String}',
        query_params: { x: 'of team 1' },
        format: 'JSONCompact',
        http_headers: tenantHeaders(serverSecrets.tokenSecret, 1),
        clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_execution_time: 10 },
      });
      expect((await rows.json()).data).toEqual([[1000]]);
      await client.close();
    });
  });

  describe('the row policy', () => {
    test('shows a team’s rows to its token, and reads no more than those', async () => {
      const reply = await queryAsTeam(url, 2, 'SELECT any(x), count() FROM analytics.events FORMAT JSONCompact', {
        output_format_json_quote_64bit_integers: 0,
      });
      const { data, statistics } = JSON.parse(reply) as { data: unknown[]; statistics: { rows_read: number } };
      expect(data).toEqual([['of team 2', 1000]]);
      expect(statistics.rows_read).toBeLessThan(1_100);
    });

    test.each([
      ['none', '', '1'],
      ['a wrong signature', '0'.repeat(64), '1'],
      ['another team’s', otherToken, '1'],
      ['another spelling of the team', rightToken, '01'],
      ['with no team', rightToken, ''],
      ['in lower case', rightToken.toLowerCase(), '1'],
      ['quotes', "' OR 1=1 --", "1' OR 1=1 --"],
      [
        'the signature of releases that wrote it into logs',
        createHash('sha256').update(`${serverSecrets.tokenSecret}:1:${serverSecrets.tokenSecret}`).digest('hex'),
        '1',
      ],
    ])(
      'is closed to a wrong token, which is an error and not an answer without rows: %s',
      async (_name, token, team) => {
        const error = await query(url, 'tenant', 'SELECT count() FROM analytics.events', withToken(token, team)).catch(
          String,
        );
        expect(error).toContain(tenantTokenError);
        expect(error).not.toContain(serverSecrets.tokenSecret);
      },
    );

    test.each([
      'SELECT count() FROM analytics.events WHERE team_id = 2',
      "SELECT count() FROM analytics.events WHERE team_id = 2 SETTINGS log_comment = '2'",
      "SELECT * FROM (SELECT count() FROM analytics.events WHERE team_id = 2 SETTINGS log_comment = '2')",
      "SELECT * FROM (SELECT countIf(team_id != 1) FROM analytics.events SETTINGS log_comment = '2')",
      "SELECT (SELECT countIf(team_id != 1) FROM analytics.events SETTINGS log_comment = '2')",
      'SELECT (SELECT countIf(team_id != 1) FROM analytics.events SETTINGS allow_get_client_http_header = 0)',
      'SELECT count() FROM analytics.events PREWHERE team_id = 2 OR ignore(throwIf(team_id = 2))',
      "WITH e AS (SELECT team_id FROM analytics.events SETTINGS log_comment = '2', additional_table_filters = '{}') SELECT count() FROM e WHERE team_id = 2",
      "SELECT count() FROM merge('analytics', '^events$') WHERE team_id = 2",
      'SELECT count() FROM analytics.events AS a JOIN analytics.persons AS b ON a.x = b.x WHERE b.team_id = 2',
    ])('with the right token for team 1, hostile SQL sees no row of team 2: %s', async (statement) => {
      const count = await queryAsTeam(url, 1, statement).catch((error: unknown) => String(error));
      expect(count).toMatch(/^0$|ACCESS_DENIED|READONLY|FUNCTION_NOT_ALLOWED/);
    });

    test('leaves nothing behind: what one tenant did not find, the next finds with the same question', async () => {
      await query(
        url,
        'admin',
        "INSERT INTO analytics.persons SELECT 11 + number % 2, if(number % 2 = 0, 'common', 'only the second has it') FROM numbers(100)",
      );
      const request = "SELECT count() FROM analytics.persons WHERE x = 'only the second has it'";
      for (const [team, count] of [
        [11, '0'],
        [12, '50'],
        [11, '0'],
        [12, '50'],
      ] as const)
        expect(await queryAsTeam(url, team, request)).toBe(count);
      for (const user of ['tenant', 'materializer'] as const)
        expect(await query(url, user, "SELECT getSetting('use_query_condition_cache')")).toBe('false');
    });

    test('is the same after a tenant read tables through merge()', async () => {
      const seen = async () =>
        await Promise.all(
          [1, 2].map(async (team) => await queryAsTeam(url, team, 'SELECT any(x), count() FROM analytics.events')),
        );
      const before = await seen();
      expect(await queryAsTeam(url, 1, "SELECT any(x), count() FROM merge('analytics', '^events$')")).toBe(before[0]);
      expect(await seen()).toEqual(before);
      await expect(query(url, 'tenant', 'SELECT count() FROM analytics.events')).rejects.toThrow(tenantTokenError);
    });

    test('its token is written down nowhere: neither in what ClickHouse logs nor among what runs', async () => {
      const sql = 'SELECT count(), sum(sleepEachRow(0.002)) FROM analytics.events';
      const running = query(url, 'tenant', sql, {
        ...withToken(rightToken),
        settings: { query_id: 'of-the-token', max_threads: 1 },
      });
      const shown = async (table: string): Promise<string> =>
        await query(url, 'admin', `SELECT * FROM system.${table} WHERE query_id = 'of-the-token' FORMAT JSONEachRow`);
      await eventually(async () => expect(await shown('processes')).toContain(sql));
      expect(await shown('processes')).not.toContain(rightToken);
      await running;
      await expect(
        query(url, 'tenant', sql, { ...withToken('ANOTHER'), settings: { query_id: 'of-the-token' } }),
      ).rejects.toThrow(tenantTokenError);
      await query(url, 'admin', 'SYSTEM FLUSH LOGS');
      const logged = await shown('query_log');
      expect(logged).toContain('QueryFinish');
      expect(logged).not.toContain(rightToken);
      expect(logged).not.toContain('ANOTHER');
      expect(await readFile(join(folder.path, 'clickhouse.log'), 'utf8')).not.toContain(rightToken);
    });

    test('keeps its secret: no way of explaining or listing shows it to a tenant', async () => {
      const select = "SELECT count() FROM analytics.events WHERE x != ''";
      for (const statement of [
        `EXPLAIN actions = 1, indexes = 1, header = 1 ${select}`,
        `EXPLAIN json = 1, actions = 1, indexes = 1, header = 1, description = 1 ${select}`,
        `EXPLAIN distributed = 1, actions = 1 ${select}`,
        `EXPLAIN actions = 1 SELECT count() FROM merge('analytics', '^events$')`,
        `EXPLAIN QUERY TREE ${select}`,
        `EXPLAIN SYNTAX ${select}`,
        `EXPLAIN PIPELINE ${select}`,
        `EXPLAIN ESTIMATE ${select}`,
        'SELECT * FROM system.row_policies',
        'SELECT * FROM system.processes',
        'SELECT * FROM system.settings_profile_elements',
        'SELECT * FROM system.tables',
        'SELECT throwIf(1) FROM analytics.events',
      ]) {
        for (const token of [rightToken, 'x', '']) {
          const shown = await query(url, 'tenant', statement, withToken(token)).catch((error: unknown) =>
            String(error),
          );
          expect(shown).not.toContain(serverSecrets.tokenSecret);
        }
      }
    });
  });
});
