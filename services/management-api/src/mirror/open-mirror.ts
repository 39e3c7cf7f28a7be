import { randomUUID } from 'node:crypto';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { insertRows } from '@millrace/clickhouse/insert/insert.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { Counter, Gauge, type Registry } from '@millrace/runtime/operations/metrics.ts';
import type { Config } from '../config.ts';
import { createMirror, type MirrorObserver } from './mirror.ts';

/** The mirror of this process, with connections of its own; without the password of ClickHouse's user `recorder` there is none. */
export function openMirror(
  { clickhouse: { url, recorderPassword: password }, postgres }: Pick<Config, 'clickhouse' | 'postgres'>,
  { registry, logger }: { registry: Registry; logger: Pick<Logger, 'info' | 'warn'> },
): Part[] {
  if (password === null) {
    logger.info('CLICKHOUSE_RECORDER_PASSWORD is not set: this process copies no reviews and scores to ClickHouse');
    return [];
  }
  const pool = createPool(postgres.url, {
    applicationName: 'management-api-mirror',
    max: 2,
    statementTimeoutMs: postgres.statementTimeoutMs,
    onError: () => undefined, // the next pass finds it, and says so
  });
  const clickhouse = createClickhouse({
    url,
    user: 'recorder',
    password,
    applicationName: 'management-api-mirror',
    requestTimeoutMs: 10_000,
    connectionsMax: 1,
  });
  const mirror = createMirror({
    pool,
    insert: async (table, copies) => void (await insertRows(clickhouse, table, copies, { dedupeToken: randomUUID() })),
    logger,
    observer: observeMirror(registry),
  });
  return [
    {
      name: 'copies of reviews',
      start: () => mirror.start(),
      stop: async () => {
        await mirror.stop();
        await clickhouse.close();
        await pool.end();
      },
    },
  ];
}

function observeMirror(registry: Registry): MirrorObserver {
  const registers = [registry];
  const copied = new Counter({
    name: 'millrace_api_mirrored_rows_total',
    help: 'Rows of Postgres that this process has copied to ClickHouse: reviews, scores and their definitions',
    registers,
  });
  const lag = new Gauge({
    name: 'millrace_api_mirror_lag_seconds',
    help: 'Time that the change which has waited longest waits for its copy in ClickHouse, in seconds, as this process saw it last',
    registers,
  });
  const failures = new Counter({
    name: 'millrace_api_mirror_failures_total',
    help: 'Attempts of this process to copy rows of this table of Postgres to ClickHouse that failed; they are made again',
    labelNames: ['table'],
    registers,
  });
  return {
    lag: (seconds) => lag.set(seconds),
    copied: (rows) => copied.inc(rows),
    failed: (table) => failures.inc({ table }),
  };
}
