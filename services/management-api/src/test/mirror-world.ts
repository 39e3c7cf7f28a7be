import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { insertRows } from '@millrace/clickhouse/insert/insert.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { expect } from '@jest/globals';
import { createMirror, type Mirror, type MirrorOptions } from '../mirror/mirror.ts';
import { startTestApi, type Seed } from './test-api.ts';

export type MirrorWorld = Awaited<ReturnType<typeof openMirrorWorld>>;

/** The service without a mirror of its own, and mirrors as the tests want them. */
export async function openMirrorWorld() {
  const applicationName = 'mirror-of-test';
  const api = await startTestApi({ CLICKHOUSE_RECORDER_PASSWORD: '' });
  const asManagement = new URL(api.databaseUrl);
  asManagement.searchParams.set('options', `-c role=${postgresRoles.management}`);
  const pool = createPool(asManagement.href, { applicationName, onError: () => undefined });
  const { username: user, password } = api.clickhouse.recorder;
  const recorder = createClickhouse({ url: api.clickhouse.url, user, password });
  const insert: MirrorOptions['insert'] = async (table, copies) =>
    void (await insertRows(recorder, table, copies, { dedupeToken: crypto.randomUUID() }));
  const mirror = (options: Partial<MirrorOptions> = {}): Mirror =>
    createMirror({ pool, insert, logger: { warn: () => undefined }, ...options });
  const waiting = (): Promise<number> => api.prisma.unmirroredRow.count();

  return {
    api,
    pool,
    insert,
    mirror,
    /** Number of rows whose copies are not up to date. */
    waiting,
    /** Copies all. A connection that has ended may hold the lock a moment longer. */
    copied: (options: Partial<MirrorOptions> = {}): Promise<void> =>
      eventually(async () => {
        await mirror(options).run();
        expect(await waiting()).toBe(0);
      }),
    /** Ends the connections of all mirrors, as the end of their processes does. */
    endConnections: () =>
      api.prisma
        .$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${applicationName}`,
    /** The calls and queries of a project. */
    of: (seed: Seed) => callsOf(api, seed),
    /** Rows of ClickHouse itself, with those that nobody sees. */
    async stored(table: string, { projectId }: Seed): Promise<Record<string, unknown>[]> {
      const query = `SELECT * FROM analytics.${table} FINAL WHERE team_id = ${projectId}`;
      return await (await api.writer.query({ query, format: 'JSONEachRow' })).json();
    },
    async close() {
      await recorder.close();
      await pool.end();
      await api.stop();
    },
  };
}

const reviewTables = ['trace_reviews', 'trace_scores', 'score_definitions'];

type Made = { id: string; created_at: string; updated_at: string };

function callsOf(api: Awaited<ReturnType<typeof startTestApi>>, { key, projectId }: Seed) {
  const path = `/api/projects/${projectId}`;
  async function send(method: 'post' | 'patch' | 'delete', rest: string, body?: object): Promise<Made> {
    const made = api.as(key).send<Made>(method, `${path}/llm_analytics/${rest}`);
    const { status, body: answer } = await (body === undefined ? made : made.send(body));
    expect([status < 300, answer]).toEqual([true, answer]);
    return answer;
  }
  async function read(query: string): Promise<unknown[][]> {
    const { status, body } = await api
      .as(key)
      .send<{ results: unknown[][] }>('post', `${path}/query`)
      .send({ query: { kind: 'HogQLQuery', query }, refresh: 'force_blocking' });
    expect([status, body]).toEqual([200, body]);
    return body.results;
  }
  return {
    send,
    read,
    define: (kind: string, config: object, name = kind) => send('post', 'score_definitions/', { name, kind, config }),
    review: (traceId: string, scores: object[] = [], comment?: string) =>
      send('post', 'trace_reviews/', { trace_id: traceId, scores, comment }),
    /** Rows that a query sees in each of the tables of reviews. */
    counts: (): Promise<unknown[]> =>
      Promise.all(reviewTables.map(async (name) => (await read(`SELECT count() FROM ${name}`))[0]?.[0])),
  };
}
