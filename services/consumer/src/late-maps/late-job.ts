import { delay } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { whileLocked, type JobLock } from '../jobs/job-lock.ts';
import type { LateMetrics } from './late-metrics.ts';
import { clearRuns } from './late-sql.ts';
import type { Pass } from './pass-store.ts';
import type { LateParts } from './resolve-page.ts';
import { runTurn, type TurnOptions } from './run-pass.ts';

/** The parts of the job; the lock is its own. */
type LateJobParts = Omit<LateParts, 'assertHeld'>;

export interface LateJobOptions extends Omit<TurnOptions, 'signal'> {
  parts: LateJobParts;
  postgresUrl: string;
  /** Interval of looking whether there is something to do. */
  checkEveryMs: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  metrics: LateMetrics;
}

/** A pass that is older than this, and was tried more often without progress, is given up: its exceptions are leaving the seven days. */
const givenUp = { afterMs: 3 * 86_400_000, tries: 10 };
const postponedSeconds = { first: 10, longest: 600 };

/**
 * Resolves stored exceptions anew whose symbols came late, for as long as `signal` lives; never throws. Every process of the consumer may run
 * it: one at a time works. Projects take turns.
 */
export async function runLateJob(options: LateJobOptions, signal: AbortSignal): Promise<void> {
  const { parts, checkEveryMs, logger, metrics } = options;
  while (!signal.aborted) {
    // Not all processes at once.
    await delay(checkEveryMs * (0.75 + Math.random() / 2), signal);
    if (signal.aborted) return;
    try {
      const { sets, passes, isDue } = await parts.passes.count();
      metrics.waiting.set(sets + passes);
      if (isDue) await workOff(options, signal);
    } catch (error) {
      metrics.failures.inc();
      logger.warn({ err: error }, 'resolving stored exceptions anew failed: it is tried again');
    }
  }
}

/** Works until no pass can go on; does nothing when another process works. */
async function workOff(options: LateJobOptions, signal: AbortSignal): Promise<void> {
  const { parts, postgresUrl } = options;
  await whileLocked(postgresUrl, 'lateMaps', async (held) => {
    while (!signal.aborted) {
      await held.assertHeld();
      await parts.passes.begin();
      const pass = await parts.passes.next();
      if (pass === null) return;
      await runOne(options, pass, held, signal);
    }
  });
}

async function runOne(
  { parts, logger, metrics, ...turn }: LateJobOptions,
  pass: Pass,
  held: JobLock,
  signal: AbortSignal,
): Promise<void> {
  const { projectId, sets, startedAt, tries } = pass;
  try {
    if (tries > givenUp.tries && Date.now() - startedAt.getTime() > givenUp.afterMs) {
      await endPass(parts, pass, held);
      return logger.warn({ projectId, sets, tries }, 'stored exceptions are not resolved anew: it was tried too often');
    }
    const { events, found, isOver } = await runTurn({ ...parts, assertHeld: () => held.assertHeld() }, pass, {
      ...turn,
      signal,
    });
    metrics.events.inc(events);
    if (!isOver) return;
    await endPass(parts, pass, held);
    metrics.passes.inc();
    logger.info(
      { projectId, sets, found, ms: Date.now() - startedAt.getTime() },
      'stored exceptions were resolved anew',
    );
  } catch (error) {
    if (signal.aborted) return;
    metrics.failures.inc();
    logger.warn({ err: error, projectId }, 'stored exceptions of a project cannot be resolved anew: it is tried again');
    await parts.passes.postpone(pass, Math.min(postponedSeconds.longest, postponedSeconds.first * 2 ** tries));
  }
}

/** A process that died may have left properties of a page. */
async function endPass({ clickhouse, passes }: LateJobParts, pass: Pass, held: JobLock): Promise<void> {
  await held.assertHeld();
  await clickhouse.run(clearRuns(pass));
  await passes.end(pass);
}
