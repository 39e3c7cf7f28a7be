import { delay } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { whileLocked } from '../jobs/job-lock.ts';
import type { SquashMetrics } from './squash-metrics.ts';
import type { SquashClickhouse } from './squash-clickhouse.ts';
import { squashOverrides, SquashStoppedError } from './squash-overrides.ts';
import { countOverrides } from './squash-sql.ts';

export interface SquashJobOptions {
  clickhouse: SquashClickhouse;
  postgresUrl: string;
  /** Overrides younger than this are left alone. */
  ageMs: number;
  /** An override waits at most this long after it has reached its age. */
  everyMs: number;
  /** Interval of counting the overrides. */
  checkEveryMs: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  metrics: SquashMetrics;
}

/** Number of old overrides at which they are due before their time. */
const oldMax = 100_000;

/**
 * Squashes old overrides now and then, for as long as `signal` lives; never throws. Every process of the consumer may run it:
 * one at a time works, and there is no schedule to keep, because the overrides themselves say how long they have waited.
 */
export async function runSquashJob(options: SquashJobOptions, signal: AbortSignal): Promise<void> {
  const { checkEveryMs, logger, metrics } = options;
  while (!signal.aborted) {
    // Not all processes at once.
    await delay(checkEveryMs * (0.75 + Math.random() / 2), signal);
    if (signal.aborted) return;
    try {
      if (await areDue(options)) await squash(options, signal);
    } catch (error) {
      if (error instanceof SquashStoppedError) return;
      metrics.failures.inc();
      logger.warn({ err: error }, 'squashing of person overrides failed: it is tried again');
    }
  }
}

async function areDue({ clickhouse, ageMs, everyMs, metrics }: SquashJobOptions): Promise<boolean> {
  const [counted] = await clickhouse.rows<{ overrides: string; old: string; oldest_ms: string }>(countOverrides(ageMs));
  if (counted === undefined) return false;
  metrics.overrides.set(Number(counted.overrides));
  const isOverdue = Number(counted.oldest_ms) > ageMs + everyMs;
  return Number(counted.old) >= oldMax || (Number(counted.old) > 0 && isOverdue);
}

async function squash(
  { clickhouse, postgresUrl, ageMs, logger, metrics }: SquashJobOptions,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = performance.now();
  const report = await whileLocked(postgresUrl, 'squash', (lock) =>
    squashOverrides(clickhouse, lock, { ageMs, signal, onProgress: () => undefined }),
  );
  if (report === null) return;
  metrics.squashed.inc(report.overrides);
  metrics.rewritten.inc(report.events);
  logger.info({ ...report, durationMs: Math.round(performance.now() - startedMs) }, 'person overrides squashed');
}
