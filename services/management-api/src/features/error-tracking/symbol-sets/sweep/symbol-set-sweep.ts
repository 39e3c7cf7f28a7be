import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { sweepSymbolSets } from './sweep-symbol-sets.ts';

interface SweepPartOptions {
  prisma: PrismaClient;
  storage: ObjectStorage | undefined;
  clock: Clock;
  logger: Logger;
  everyMs?: number;
}

/** The sweep of symbol sets, once an hour; none without a storage. */
export function createSymbolSetSweep({ storage, everyMs = 3_600_000, ...options }: SweepPartOptions): Part {
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  return {
    name: 'unfinished symbol sets',
    start() {
      if (storage === undefined) return;
      timer = setInterval(() => {
        sweeping ??= sweepSymbolSets({ ...options, storage })
          .catch((err: unknown) => options.logger.warn({ err }, 'unfinished symbol sets are not removed yet'))
          .finally(() => (sweeping = undefined));
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
