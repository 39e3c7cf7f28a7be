import { background, type Background } from '@millrace/runtime/background.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Registry } from '@millrace/runtime/operations/metrics.ts';
import type { ConsumerConfig } from '../config.ts';
import { connectSquashClickhouse } from './squash-clickhouse.ts';
import { runSquashJob } from './squash-job.ts';
import { createSquashMetrics } from './squash-metrics.ts';

const hourMs = 3_600_000;
const checkEveryMs = 600_000;

/** The squashing of person overrides as a part of a process; without the password of user `maintainer` it does nothing. */
export function createSquash(
  { squash, clickhouse: { url }, postgres }: ConsumerConfig,
  registry: Registry,
  logger: Logger,
): Background {
  const metrics = createSquashMetrics(registry);
  return background((signal) => {
    const { password, ageHours, everyHours } = squash;
    if (password === null)
      return logger.info('CLICKHOUSE_MAINTAINER_PASSWORD is not set: this process squashes no person overrides');
    const clickhouse = connectSquashClickhouse({ url, user: 'maintainer', password });
    const options = {
      clickhouse,
      postgresUrl: postgres.url,
      ageMs: ageHours * hourMs,
      everyMs: everyHours * hourMs,
      checkEveryMs,
      logger,
      metrics,
    };
    return runSquashJob(options, signal).finally(() => clickhouse.close());
  });
}
