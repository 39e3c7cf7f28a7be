import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { background } from '@millrace/runtime/background.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { repeat } from '@millrace/runtime/repeat.ts';
import { sweepStackFrames } from './stack-frames/sweep-stack-frames.ts';
import { sweepSymbolSets } from './symbol-sets/sweep/sweep-symbol-sets.ts';

interface SweepOptions {
  prisma: PrismaClient;
  /** Undefined: none is configured, so that nothing was ever uploaded. */
  storage: ObjectStorage | undefined;
  clock: Clock;
  logger: Logger;
}

const everyMs = 3_600_000;
const firstMs = 300_000;

/** The sweeps of error tracking, each once an hour, for the first time after some minutes. */
export function errorTrackingSweeps({ storage, ...options }: SweepOptions): Part[] {
  const { prisma, logger } = options;
  const frames = hourly('stack frames beyond those that projects keep', logger, () => sweepStackFrames(prisma));
  if (storage === undefined) return [frames];
  return [frames, hourly('unfinished symbol sets', logger, () => sweepSymbolSets({ ...options, storage }))];
}

function hourly(name: string, logger: Logger, sweep: () => Promise<void>): Part {
  const failed = `${name} are not removed yet`;
  return { name, ...background((signal) => repeat(sweep, { everyMs, firstMs, signal, logger, failed })) };
}
