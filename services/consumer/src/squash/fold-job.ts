import { delay } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { FoldMetrics } from './fold-metrics.ts';
import type { FoldClickhouse } from './fold-clickhouse.ts';
import { whileLocked } from './fold-lock.ts';
import { foldOverrides, FoldStoppedError } from './fold-overrides.ts';
import { countOverrides } from './fold-sql.ts';

export interface FoldJobOptions {
  clickhouse: FoldClickhouse;
  postgresUrl: string;
  /** Overrides younger than this are left alone. */
  ageMs: number;
  /** An override waits at most this long behind its age. */
  everyMs: number;
  /** How often it is looked whether any are due. */
  lookEveryMs: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  metrics: FoldMetrics;
}

/** Overrides are due before their time when so many of them are old. */
const oldMax = 100_000;

/**
 * Folds old overrides now and then, for as long as `signal` lives; never throws. Every process of the consumer may run it:
 * one at a time works, and there is no schedule to keep, because the overrides themselves say how long they have waited.
 */
export async function runFoldJob(options: FoldJobOptions, signal: AbortSignal): Promise<void> {
  const { lookEveryMs, logger, metrics } = options;
  while (!signal.aborted) {
    // Not all processes at once.
    await delay(lookEveryMs * (0.75 + Math.random() / 2), signal);
    if (signal.aborted) return;
    try {
      if (await areDue(options)) await fold(options, signal);
    } catch (error) {
      if (error instanceof FoldStoppedError) return;
      metrics.failures.inc();
      logger.warn({ err: error }, 'folding of person overrides failed: it is tried again');
    }
  }
}

async function areDue({ clickhouse, ageMs, everyMs, metrics }: FoldJobOptions): Promise<boolean> {
  const [counted] = await clickhouse.rows<{ overrides: string; old: string; oldest_ms: string }>(countOverrides(ageMs));
  if (counted === undefined) return false;
  metrics.overrides.set(Number(counted.overrides));
  const isOverdue = Number(counted.oldest_ms) > ageMs + everyMs;
  return Number(counted.old) >= oldMax || (Number(counted.old) > 0 && isOverdue);
}

async function fold(
  { clickhouse, postgresUrl, ageMs, logger, metrics }: FoldJobOptions,
  signal: AbortSignal,
): Promise<void> {
  const startedMs = performance.now();
  const report = await whileLocked(postgresUrl, (lock) =>
    foldOverrides(clickhouse, lock, { ageMs, signal, onProgress: () => undefined }),
  );
  if (report === null) return;
  metrics.folded.inc(report.overrides);
  metrics.rewritten.inc(report.events);
  logger.info({ ...report, durationMs: Math.round(performance.now() - startedMs) }, 'person overrides folded');
}
