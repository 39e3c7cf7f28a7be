import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { queryAs } from '@millrace/engines/canary-setup.ts';
import { openFiles } from '@millrace/object-storage/create-storage.ts';
import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import { systemClock } from '@millrace/runtime/clock.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { readBundle, type PrintedFrame } from '@millrace/symbolication/testing/bundles.ts';
import { containerOf, scriptAndMap } from '@millrace/symbolication/testing/containers.ts';
import { testClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { createHarness, type Harness } from './harness.ts';

/** Properties of a stored exception. */
interface StoredProperties {
  $exception_list: { stacktrace: { frames: Record<string, unknown>[] } }[];
  $exception_functions: string[];
  $exception_fingerprint: string;
  $exception_issue_id: string;
}

/** Exceptions of a real bundle whose map may come late. */
export interface LateScene extends Pick<Harness, 'config' | 'sql' | 'startChild' | 'teamId'> {
  /** Rows of ClickHouse as users' queries get them, by the row policies; `{team:Int64}` is the project. */
  rows<Row>(query: string): Promise<Row[]>;
  /** Name of the function that crashed, in the source. */
  functionName: string;
  /** Sends an exception of the bundle under a chunk id, and answers its uuid. */
  send(chunk: string, more?: object, at?: Date): Promise<string>;
  stored: (uuid: string) => Promise<StoredProperties>;
  /** The same once its crashing frame is resolved. */
  resolved: (uuid: string) => Promise<StoredProperties>;
  crashOf(event: StoredProperties | undefined): Record<string, unknown> | undefined;
  /** Stores the map, as a finished upload does; answers the id of its set. */
  makeSet(chunk: string): Promise<string>;
  /** Notes the set as late, due at once. */
  due(chunk: string): Promise<void>;
  /** Stores properties of an event for an update that does not come. */
  storeRun(uuid: string): Promise<void>;
  /** Number of the rows that wait for their update. */
  runs(): Promise<number>;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  /** Files that cannot be read. */
  away(): ObjectFiles;
  query(text: string): Promise<unknown[]>;
  eventually(check: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const deadline = { deadlineMs: 12_000, intervalMs: 50 };

export async function createLateScene(eventLog: Record<string, string> = {}): Promise<LateScene> {
  const harness = await createHarness(eventLog);
  const { sql, teamId } = harness;
  const { url, tenant, writer, tokenSecret } = testClickhouse();
  const rows = async <Row>(statement: string): Promise<Row[]> => {
    const reply = await queryAs(
      { user: tenant.username, password: tenant.password },
      url,
      `${statement} FORMAT JSONEachRow`,
      {
        settings: { param_team: teamId },
        headers: tenantHeaders(tokenSecret, teamId),
      },
    );
    return reply.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
  };
  const config = {
    ...harness.config,
    squash: { ...harness.config.squash, password: testClickhouse().maintainer.password },
  };
  const bundle = readBundle('esbuild');
  const [scenario, printed] = Object.entries(bundle.stacks)[0] as [string, PrintedFrame[]];
  const files = openFiles(config.storage, {
    clock: systemClock,
    logger: createLogger('test', 'silent'),
  }) as ObjectFiles;
  await files.start();
  const query = async (text: string): Promise<unknown[]> =>
    (await sql.query<Record<string, unknown>>(text, text.includes('$1') ? [teamId] : [])).rows;
  const crashOf: LateScene['crashOf'] = (event) => event?.$exception_list[0]?.stacktrace.frames.at(-1);

  async function read(uuid: string, isWanted: (event: StoredProperties) => boolean): Promise<StoredProperties> {
    let event: StoredProperties | undefined;
    await eventually(async () => {
      const found = await rows<{ text: string }>(
        `SELECT properties_text AS text FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
      );
      expect(found).toHaveLength(1);
      event = JSON.parse(found[0]?.text ?? '') as StoredProperties;
      expect(isWanted(event)).toBe(true);
    }, deadline);
    return event as StoredProperties;
  }

  return {
    config,
    sql,
    teamId,
    rows,
    startChild: (dieAt, changes) => harness.startChild(dieAt, { ...config, ...changes }),
    // Engines print the class before the name of a method.
    functionName: (bundle.expected[scenario]?.[0] as PrintedFrame).function.replace('Cart.', ''),
    async send(chunk, more = {}, at = new Date()) {
      const frames = printed.toReversed().map(({ function: name, line, column }) => ({
        platform: 'web:javascript',
        filename: 'https://shop.example/app.js',
        function: name,
        lineno: line,
        colno: column,
        chunk_id: chunk,
        in_app: true,
      }));
      const list = [{ type: 'TypeError', value: 'v', stacktrace: { type: 'raw', frames } }];
      const time = at.toISOString().replace('Z', '000Z');
      const properties = JSON.stringify({ ...more, $lib: 'web', $exception_list: list });
      const event = { event: '$exception', distinctId: randomUUID(), properties, timestamp: time, receivedAt: time };
      const [uuid] = await harness.send([event], { lane: 'exceptions' });
      return uuid as string;
    },
    stored: (uuid) => read(uuid, () => true),
    resolved: (uuid) => read(uuid, (event) => crashOf(event)?.['resolved'] === true),
    crashOf,
    async makeSet(chunk) {
      const [id, key] = [randomUUID(), `symbolsets/${randomUUID()}`];
      await files.put(key, containerOf(scriptAndMap(bundle.bundle, bundle.map)));
      const made = await sql.query<{ id: string }>(
        `INSERT INTO symbol_sets (id, project_id, ref, storage_key, content_hash) VALUES ($1, $2, $3, $4, 'h')
          ON CONFLICT (project_id, ref) DO UPDATE SET storage_key = excluded.storage_key, content_hash = 'h' RETURNING id`,
        [id, teamId, chunk, key],
      );
      return made.rows[0]?.id ?? '';
    },
    async due(chunk) {
      await sql.query('SELECT note_late_maps($1, 0)', [JSON.stringify([{ project_id: teamId, ref: chunk }])]);
      await sql.query('UPDATE late_maps SET due_at = now() WHERE ref = $1', [chunk]);
    },
    async storeRun(uuid) {
      const row = { run: randomUUID(), team_id: teamId, uuid, properties_text: '{}' };
      await queryAs(
        { user: writer.username, password: writer.password },
        url,
        `INSERT INTO analytics.late_events FORMAT JSONEachRow ${JSON.stringify(row)}`,
      );
    },
    async runs() {
      const [row] = await harness.rows<{ count: string }>(
        'SELECT count() AS count FROM analytics.late_events WHERE team_id = {team:Int64}',
      );
      return Number(row?.count);
    },
    async idle() {
      await eventually(async () => {
        expect(await query('SELECT FROM late_maps')).toEqual([]);
        expect(await query('SELECT FROM late_map_passes')).toEqual([]);
      }, deadline);
    },
    away: () => unreadable(files),
    query,
    eventually: (check) => eventually(check, deadline),
    async close() {
      files.close();
      await harness.close();
    },
  };
}

const fails = (): Promise<never> => Promise.reject(new Error('the storage is away'));

/** Files that cannot be had. */
const unreadable = (files: ObjectFiles): ObjectFiles => ({
  put: fails,
  receive: fails,
  get: fails,
  head: fails,
  copy: fails,
  delete: fails,
  list: (folder) => files.list(folder),
  start: () => Promise.resolve(),
  close: () => undefined,
});
