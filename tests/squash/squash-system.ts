import { randomUUID } from 'node:crypto';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { buildUsersXml } from '@millrace/clickhouse/users/users-document.ts';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { startClickhouse, type ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { compileQuery } from '@millrace/query-language/compile.ts';

const passwords = {
  admin: 'admin',
  writer: 'writer',
  tenant: 'tenant',
  materializer: 'materializer',
  maintainer: 'maintainer',
  recorder: 'recorder',
  tokenSecret: 'k'.repeat(20),
};
const teamId = 1;

/** A ClickHouse of its own: squashing concerns all overrides of a server, other suites' too. */
export interface SquashSystem {
  readonly engine: ClickhouseEngine;
  login(user: 'admin' | 'writer' | 'tenant' | 'maintainer'): { url: string; user: string; password: string };
  send<Row>(user: 'admin' | 'maintainer', sql: string): Promise<Row[]>;
  /** Stores one event of each distinct id in each of these months (yyyymm), with the person that is given. */
  store(distinctIds: readonly string[], personId: string, months?: readonly number[]): Promise<void>;
  /** A merge: from now on this is the person of these distinct ids. */
  override(distinctIds: readonly string[], personId: string, version: number): Promise<void>;
  /** Persons by distinct id in a user's query. More than one for an id is an error. */
  persons(): Promise<Record<string, string[]>>;
  overrides(): Promise<number>;
  /** The persons that the events themselves carry. */
  stored(): Promise<Record<string, string[]>>;
  restartAfterKill(): Promise<void>;
  close(): Promise<void>;
}

interface PersonRow {
  distinct_id: string;
  person_id: string;
}

export async function startSquashSystem(): Promise<SquashSystem> {
  const folder = await temporaryFolder();
  const start = (): Promise<ClickhouseEngine> =>
    startClickhouse({
      dataDir: folder.path,
      usersDocument: buildUsersXml({ secrets: passwords, from: 'loopback' }),
      login: { user: 'admin', password: passwords.admin },
    });
  let engine = await start();
  const login: SquashSystem['login'] = (user) => ({ url: engine.url, user, password: passwords[user] });
  await migrateClickhouse(login('admin'), { log: { info: () => undefined } });

  async function request<Row>(
    user: 'admin' | 'tenant' | 'maintainer',
    sql: string,
    { params = {}, headers = {} }: { params?: object; headers?: object } = {},
  ): Promise<Row[]> {
    const client = createClickhouse(login(user));
    try {
      if (!/^\s*(SELECT|WITH)/.test(sql)) {
        await client.command({ query: sql, query_params: { ...params } });
        return [];
      }
      const result = await client.query({
        query: sql,
        query_params: { ...params },
        http_headers: { ...headers },
        format: 'JSONEachRow',
      });
      return await result.json<Row>();
    } finally {
      await client.close();
    }
  }

  return {
    get engine() {
      return engine;
    },
    login,
    send: (user, sql) => request(user, sql),
    async store(distinctIds, personId, months = [202601]) {
      await request(
        'admin',
        `INSERT INTO analytics.events (team_id, uuid, event, distinct_id, timestamp, created_at, person_id, person_mode)
         SELECT ${teamId}, generateUUIDv4(), 'e', arrayJoin({ids:Array(String)}), parseDateTime(toString(arrayJoin({months:Array(UInt32)})), '%Y%m', 'UTC'), now64(6), {person:UUID}, 'full'`,
        { params: { ids: distinctIds, person: personId, months } },
      );
    },
    async override(distinctIds, personId, version) {
      await request(
        'admin',
        `INSERT INTO analytics.person_overrides (team_id, distinct_id, person_id, version) SELECT ${teamId}, arrayJoin({ids:Array(String)}), {person:UUID}, {version:UInt64}`,
        { params: { ids: distinctIds, person: personId, version } },
      );
    },
    async persons() {
      const { sql, params } = compileQuery({
        text: 'SELECT distinct_id, toString(person_id) AS person_id FROM events GROUP BY distinct_id, person_id',
        rowsMax: 10_000,
      });
      return byId(
        await request<PersonRow>('tenant', sql, { params, headers: tenantHeaders(passwords.tokenSecret, teamId) }),
      );
    },
    async overrides() {
      const [row] = await request<{ n: string }>(
        'admin',
        'SELECT toString(count()) AS n FROM analytics.person_overrides',
      );
      return Number(row?.n);
    },
    stored: async () =>
      byId(
        await request<PersonRow>(
          'admin',
          'SELECT DISTINCT distinct_id, toString(person_id) AS person_id FROM analytics.events',
        ),
      ),
    async restartAfterKill() {
      process.kill(engine.pid, 'SIGKILL');
      await engine.exited;
      engine = await start();
    },
    async close() {
      await engine.stop();
      await folder.remove();
    },
  };
}

function byId(rows: readonly PersonRow[]): Record<string, string[]> {
  const persons: Record<string, string[]> = {};
  for (const { distinct_id: id, person_id: person } of rows) (persons[id] ??= []).push(person);
  for (const list of Object.values(persons)) list.sort();
  return persons;
}

/** A person that the number names. */
export const person = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Distinct ids that no other test has. */
export function distinctIds(count: number): string[] {
  const run = randomUUID().slice(0, 8);
  return Array.from({ length: count }, (_, n) => `${run}'\\:${n}`);
}
