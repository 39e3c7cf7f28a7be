import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@millrace/runtime/config.ts';
import { createMetrics } from '@millrace/runtime/operations/metrics.ts';
import { settings } from '../config.ts';
import { enoughMs, eventsByName, openBuildWorld, type BuildWorld } from '../test/build-world.ts';
import { openBuilds } from './open-builds.ts';

let world: BuildWorld;
beforeAll(async () => {
  world = await openBuildWorld();
});
afterAll(() => world?.close());

function opened(environment: Record<string, string>) {
  const { url, tenant, tokenSecret } = world.api.clickhouse;
  const config = readConfig(
    { clickhouse: settings.clickhouse, builds: settings.builds },
    {
      CLICKHOUSE_URL: url,
      CLICKHOUSE_TENANT_PASSWORD: tenant.password,
      CLICKHOUSE_TOKEN_SECRET: tokenSecret,
      ...environment,
    },
  );
  const registry = createMetrics('management-api');
  const lines: string[] = [];
  const log = (first: object | string, message = ''): void =>
    void lines.push(typeof first === 'string' ? first : message);
  const logger = { info: log, warn: log };
  const compileBuild = () => Promise.resolve(eventsByName);
  return { opened: openBuilds(config, { pool: world.pool, compileBuild, logger, registry }), registry, lines };
}

test('a process with the password of the materializer builds by its settings, and its metrics say so', async () => {
  const own = await world.project(3);
  const version = await world.version(own);
  const {
    opened: { builds: one, parts },
    registry,
    lines,
  } = opened({
    CLICKHOUSE_MATERIALIZER_PASSWORD: world.api.clickhouse.materializer.password,
  });
  for (const { start } of parts) await start?.();
  const row = await world.completed(version, 1);
  expect(await world.rowsOf(row, own.projectId)).toBe(`"of ${own.projectId}",3`);
  for (const { stop } of parts) await stop?.();
  const text = await registry.metrics();
  expect(text).toMatch(/millrace_api_build_seconds_count\{[^}]*outcome="completed"[^}]*\} 1\n/);
  expect(text).toMatch(/millrace_api_build_rows_total\{[^}]*\} 1\n/);
  expect(lines).toEqual([]);
  // After its end it begins nothing.
  await world.makeDue(version);
  await one.buildNow(version.versionId, enoughMs);
  expect((await world.claimOf(version)).build_number).toBe(1);
});

test.each([
  ['without it', {}, 'CLICKHOUSE_MATERIALIZER_PASSWORD is not', 'no password'],
  [
    'of a cluster',
    { CLICKHOUSE_MATERIALIZER_PASSWORD: 'x', CLICKHOUSE_CLUSTER: 'c' },
    'CLICKHOUSE_CLUSTER is',
    'a cluster',
  ],
])('one %s builds nothing, and says so once, and to members', (_name, environment, line, refusal) => {
  const { opened: none, lines } = opened(environment);
  expect([none.parts, lines]).toEqual([[], [`${line} set: this process materializes no endpoints`]]);
  expect(none.builds.refusal).toContain(refusal);
});
