import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startProxyTo, type TcpProxy } from '@millrace/testkit/tcp-proxy.ts';
import { createApp } from './app.ts';
import { createHarness, type Harness } from './test/harness.ts';

let harness: Harness;
let clickhouse: TcpProxy;
let postgres: TcpProxy;
let app: ReturnType<typeof createApp>;
let sent = 0;

beforeAll(async () => {
  harness = await createHarness();
  const [toClickhouse, toPostgres] = [
    await startProxyTo(harness.config.clickhouse.url),
    await startProxyTo(harness.config.postgres.url),
  ];
  [clickhouse, postgres] = [toClickhouse.proxy, toPostgres.proxy];
  app = createApp({
    ...harness.config,
    logLevel: 'fatal',
    clickhouse: { ...harness.config.clickhouse, url: toClickhouse.url },
    postgres: { ...harness.config.postgres, url: toPostgres.url },
  });
  await app.start();
}, 60_000);

afterAll(async () => {
  await app.stop();
  await clickhouse.close();
  await postgres.close();
  await harness.close();
}, 30_000);

async function send(count: number): Promise<void> {
  await harness.send(
    Array.from({ length: count }, (_, index) => ({
      distinctId: `p${index % 20}`,
      properties: `{"$set":{"n":${sent + index}}}`,
    })),
  );
  sent += count;
}

async function readiness(): Promise<{ status: number; not_ready?: Record<string, string> }> {
  const response = await fetch(`${app.operationsUrl()}/_readiness`);
  return { ...((await response.json()) as object), status: response.status };
}

/** The sum over all lanes. */
async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${app.operationsUrl()}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function everythingIsThere(): Promise<void> {
  await eventually(
    async () => {
      expect(await harness.counts()).toEqual({ rows: sent, uuids: sent });
      expect(await readiness()).toEqual({ status: 200 });
    },
    { deadlineMs: 20_000, intervalMs: 50 },
  );
}

describe('an engine that is away costs no event (contract/capture 6.2, performance C2 6–8)', () => {
  test.each([
    ['clickhouse', () => clickhouse],
    ['postgres', () => postgres],
  ])(
    '%s down and back',
    async (name, proxy) => {
      await send(50);
      await everythingIsThere();
      proxy().state = 'closed';
      // One batch of one stream: nothing else waits.
      await send(1);
      await eventually(async () =>
        expect(await readiness()).toMatchObject({ status: 503, not_ready: { [name]: expect.any(String) as unknown } }),
      );
      // The age of the current batch counts, though all of it has been read.
      await eventually(async () => expect(await figure('millrace_consumer_oldest_unread_seconds')).toBeGreaterThan(0));
      await send(50);
      proxy().state = 'open';
      await everythingIsThere();
      await eventually(async () =>
        expect([
          await figure('millrace_consumer_oldest_unread_seconds'),
          await figure('millrace_consumer_lag_records'),
        ]).toEqual([0, 0]),
      );
      expect(await harness.deadLetters()).toEqual([]);
    },
    60_000,
  );

  test.each([
    ['clickhouse', () => clickhouse],
    ['postgres', () => postgres],
  ])(
    '%s does what it is asked and its replies are lost: nothing is doubled, and persons reach ClickHouse',
    async (name, proxy) => {
      await send(50);
      await everythingIsThere();
      proxy().state = 'answerless';
      await send(50);
      await eventually(async () =>
        expect(await readiness()).toMatchObject({ not_ready: { [name]: expect.any(String) as unknown } }),
      );
      proxy().state = 'open';
      await everythingIsThere();
      const { rows: truth } = await harness.sql.query<{ uuid: string; n: string; version: string }>(
        "SELECT uuid::text, properties->>'n' AS n, version::text FROM persons ORDER BY uuid::text",
      );
      const replica = await harness.rows<{ uuid: string; n: string; version: string }>(
        "SELECT toString(id) AS uuid, properties['n'] AS n, toString(version) AS version FROM analytics.persons FINAL WHERE team_id = {team:Int64} ORDER BY uuid",
      );
      expect(replica).toEqual(truth);
    },
    60_000,
  );
});
