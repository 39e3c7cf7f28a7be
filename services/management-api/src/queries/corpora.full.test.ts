// The statements of the corpora on a real engine, among them hostile ones.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { compileQuery } from '@millrace/query-language/compile.ts';
import { corpus, corpusValues } from '@millrace/query-language/testing/corpus.ts';
import { boundedStatements, refusedStatements } from '@millrace/query-language/testing/hostile-corpus.ts';
import { ordinaryStatements } from '@millrace/query-language/testing/ordinary-corpus.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// The other project's rows hold a word that nothing shown to the first may ever hold.
const secret = 'SECRET-OF-THE-OTHER';
const own = randomTeamId();
const other = own + 1;

let tenant: TestTenant;
let listener: Server;
let visits = 0;

async function insertRows(): Promise<void> {
  await tenant.insert({
    events: [...ownEvents(), eventOf(other, secret, { word: secret })],
    persons: [personOf(own, 'ours'), personOf(other, secret)],
    groups: [groupOf(own, 'ours'), groupOf(other, secret)],
    trace_reviews: [reviewOf(other, { trace_id: secret, comment: secret })],
    trace_scores: [
      reviewOf(other, { trace_id: secret, kind: 'categorical', categorical_values: [secret], passed: true }),
    ],
    error_tracking_issues: [reviewOf(other, { name: secret, description: secret })],
    error_tracking_fingerprints: [reviewOf(other, { fingerprint: secret })],
    score_definitions: [reviewOf(other, { name: secret, kind: 'numeric', config: secret, tags: [secret, 'quality'] })],
  });
}

const at = '2026-01-02 03:04:05.678901';
const mapOf = (properties: object) =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
const stored = (properties: object) => ({ properties_text: JSON.stringify(properties), properties: mapOf(properties) });

function eventOf(teamId: number, event: string, properties: object) {
  const person = {
    person_id: crypto.randomUUID(),
    person_mode: 'full',
    person_properties_text: '{"email":"a@example.com"}',
    person_properties: { email: 'a@example.com' },
  };
  return {
    team_id: teamId,
    uuid: crypto.randomUUID(),
    event,
    distinct_id: event,
    timestamp: at,
    created_at: at,
    $session_id: 's1',
    ...person,
    ...stored(properties),
  };
}

function ownEvents() {
  const names = ['$pageview', 'signed up', 'paid', 'buy', 'signup', 'odd'];
  return names.map((name, index) =>
    eventOf(own, name, {
      plan: 'p1',
      n: index,
      amount: 12.5,
      o: { b: [1, { c: 2 }], s: 'x', t: true },
      items: [{ sku: 'a', qty: 2 }],
      $current_url: 'https://a.example/b?utm_source=c',
      tags: 'a,b',
    }),
  );
}

function personOf(teamId: number, word: string) {
  return {
    team_id: teamId,
    id: crypto.randomUUID(),
    created_at: at,
    is_identified: true,
    is_deleted: false,
    version: 1,
    ...stored({ word, email: 'a@example.com' }),
  };
}

function groupOf(teamId: number, word: string) {
  return {
    team_id: teamId,
    group_type_index: 0,
    group_key: word,
    created_at: at,
    updated_at: at,
    is_deleted: false,
    version: 1,
    ...stored({ word }),
  };
}

const reviewOf = (teamId: number, values: object) => ({
  team_id: teamId,
  id: crypto.randomUUID(),
  created_at: at,
  is_deleted: false,
  version: 1,
  ...values,
});

/** ClickHouse's answer to the tenant with the own project's token: rows, or an error. */
async function requested(
  sql: string,
  params: Readonly<Record<string, unknown>> = {},
  seconds = 20,
): Promise<{ ok: boolean; text: string }> {
  const settings = { max_execution_time: seconds, max_memory_usage: '600000000', max_result_rows: '100000' };
  return await tenant.send(own, { sql, params }, settings).then(
    (text) => ({ ok: true, text }),
    (error: unknown) => ({ ok: false, text: String(error) }),
  );
}

async function ranCompiled(text: string, seconds?: number, timeZone?: string) {
  const { sql, params } = compileQuery({ text, ...corpusValues, rowsMax: 100, ...(timeZone && { timeZone }) });
  return await requested(`${sql}\nFORMAT JSONCompact`, params, seconds);
}

beforeAll(async () => {
  tenant = await openTenant();
  listener = createServer((_, response) => {
    visits += 1;
    response.end('x\n');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  await insertRows();
});
afterAll(async () => {
  await tenant.close();
  await new Promise((resolve) => listener.close(resolve));
});

describe('the ordinary statements', () => {
  test('are at least 100', () => expect(ordinaryStatements.length).toBeGreaterThanOrEqual(100));

  test('all run, as the tenant', async () => {
    const failed: string[] = [];
    for (const text of ordinaryStatements) {
      const reply = await ranCompiled(text);
      if (!reply.ok) failed.push(`${text}\n  ${reply.text.slice(0, 400)}`);
      expect(reply.text).not.toContain(secret);
    }
    expect(failed).toEqual([]);
  }, 120_000);

  test.each([
    ['and so do those that hold every function and clause', undefined],
    ['also where results show times of a zone', 'America/Los_Angeles'],
  ])(
    '%s',
    async (_, timeZone) => {
      const failed: string[] = [];
      for (const text of corpus) {
        const result = await ranCompiled(text, undefined, timeZone);
        if (!result.ok) failed.push(`${text}\n  ${result.text.slice(0, 400)}`);
      }
      expect(failed).toEqual([]);
    },
    120_000,
  );
});

describe('the hostile statements', () => {
  test('are at least 150', () =>
    expect(refusedStatements.length + boundedStatements.length).toBeGreaterThanOrEqual(150));

  test('that compile see the own rows alone, and the engine lives on', async () => {
    for (const text of boundedStatements) {
      const { text: shown } = await ranCompiled(text, 2);
      expectNothingForeign(shown);
      expect(shown).not.toMatch(/ECONNREFUSED|ECONNRESET|hang up/);
    }
    expect(await requested('SELECT 1', {}, 2)).toEqual({ ok: true, text: '1\n' });
  }, 180_000);

  // The other wall alone: the compiler is left out, and the text itself goes to the engine as the tenant. Files are not this
  // wall's: the scalar file() asks for no grant on a local engine, which is why only the compiler may print SQL.
  test('show nothing of another project, write nothing and reach no network without the compiler either', async () => {
    const address = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const before = await rowsOfAll();
    const showing: string[] = [];
    for (const text of [...refusedStatements, ...boundedStatements]) {
      const { text: shown } = await requested(text.replaceAll('127.0.0.1:1', address), {}, 1);
      if (shown.includes(secret) || shown.includes(tenant.clickhouse.tokenSecret)) showing.push(text);
      expect([text, /ECONNREFUSED|ECONNRESET|hang up/.test(shown)]).toEqual([text, false]);
    }
    // Whether a mark falls on the other's row is up to how the parts lie.
    expect(showing.filter((text) => !keptOutByTheCompilerAlone.includes(text))).toEqual([]);
    expect(await requested('SELECT 1', {}, 1)).toEqual({ ok: true, text: '1\n' });
    expect(visits).toBe(0);
    expect(await rowsOfAll()).toEqual(before);
  }, 240_000);
});

/** The engine applies no row policy to the marks of the primary index: names of events may stand in them. */
const keptOutByTheCompilerAlone = ["select * from mergeTreeIndex('analytics', 'events')"];

function expectNothingForeign(text: string): void {
  expect(text).not.toContain(secret);
  expect(text).not.toContain(tenant.clickhouse.tokenSecret);
}

async function rowsOfAll(): Promise<unknown> {
  const { url, admin: login } = tenant.clickhouse;
  const admin = createClickhouse({ url, user: login.username, password: login.password });
  const tables = ['events', 'persons', 'groups'].map(
    (table) => `(SELECT count() FROM analytics.${table} WHERE team_id IN (${own}, ${other}))`,
  );
  const rows = await (
    await admin.query({
      query: `SELECT ${tables.join(', ')}, (SELECT groupArray(name) FROM (SELECT name FROM system.tables WHERE database = 'analytics' ORDER BY name))`,
      format: 'JSONCompact',
    })
  ).json<unknown>();
  await admin.close();
  return rows.data;
}
