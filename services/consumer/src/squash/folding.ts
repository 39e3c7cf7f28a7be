import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Registry } from '@millrace/runtime/operations/metrics.ts';
import type { ConsumerConfig } from '../config.ts';
import { connectFoldClickhouse } from './fold-clickhouse.ts';
import { runFoldJob } from './fold-job.ts';
import { createFoldMetrics } from './fold-metrics.ts';

const hourMs = 3_600_000;
const lookEveryMs = 600_000;

/** The folding of person overrides as a part of a process; without the password of user `maintainer` it does nothing. */
export function createFolding(
  { foldOverrides, clickhouse: { url }, postgres }: ConsumerConfig,
  registry: Registry,
  logger: Logger,
): { start(): void; stop(): Promise<void> } {
  const metrics = createFoldMetrics(registry);
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    start() {
      const { password, ageHours, everyHours } = foldOverrides;
      if (password === null)
        return logger.info('CLICKHOUSE_MAINTAINER_PASSWORD is not set: this process folds no person overrides');
      const clickhouse = connectFoldClickhouse({ url, user: 'maintainer', password });
      const options = {
        clickhouse,
        postgresUrl: postgres.url,
        ageMs: ageHours * hourMs,
        everyMs: everyHours * hourMs,
        lookEveryMs,
        logger,
        metrics,
      };
      running = runFoldJob(options, stopping.signal).finally(() => clickhouse.close());
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
