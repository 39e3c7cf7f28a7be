import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { deleteEnded } from './summary-store.ts';

interface SweepOptions {
  prisma: PrismaClient;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  everyMs?: number;
}

/** Rows of one statement. */
const countMax = 100;

/** Deletes stored summaries within a minute after their end: they hold texts of users, which are kept for an hour and no longer. */
export function createSummarySweep({ prisma, clock, logger, everyMs = 60_000 }: SweepOptions): Part {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    const now = new Date(clock.nowMs());
    while ((await deleteEnded(prisma, { now, countMax })) === countMax);
  }

  return {
    name: 'stored summaries',
    start() {
      timer = setInterval(() => {
        sweeping ??= sweep()
          .catch((error: unknown) => logger.warn({ err: error }, 'ended summaries not deleted yet'))
          .finally(() => (sweeping = undefined));
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
