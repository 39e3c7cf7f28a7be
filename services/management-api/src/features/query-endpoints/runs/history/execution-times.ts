import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';

export interface ExecutionTimes {
  /** Records a successful run. Postgres has the time within a second. */
  record(endpointId: string, versionId: string, atMs: number): void;
  start(): void;
  /** Writes the times that are not written yet. */
  stop(): Promise<void>;
}

/**
 * Writes `last_executed_at` of endpoints and versions (contract/endpoints 4.7): one pair of statements each second instead of one for each
 * run. Times of a failed write are written again in the next second.
 */
export function createExecutionTimes(prisma: PrismaClient, logger: Logger, { everyMs = 1_000 } = {}): ExecutionTimes {
  let endpoints = new Map<string, number>();
  let versions = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    if (endpoints.size === 0) return;
    const [endpointTimes, versionTimes] = [endpoints, versions];
    [endpoints, versions] = [new Map<string, number>(), new Map<string, number>()];
    try {
      await prisma.$transaction([
        prisma.$executeRaw`UPDATE endpoints SET last_executed_at = greatest(last_executed_at, r.at)
          FROM unnest(${idsOf(endpointTimes)}::uuid[], ${timesOf(endpointTimes)}::timestamptz[]) AS r(id, at) WHERE endpoints.id = r.id`,
        prisma.$executeRaw`UPDATE endpoint_versions SET last_executed_at = greatest(last_executed_at, r.at)
          FROM unnest(${idsOf(versionTimes)}::uuid[], ${timesOf(versionTimes)}::timestamptz[]) AS r(id, at) WHERE endpoint_versions.id = r.id`,
      ]);
    } catch (error) {
      endpoints = new Map([...endpointTimes, ...endpoints]);
      versions = new Map([...versionTimes, ...versions]);
      throw error;
    }
  }

  return {
    record(endpointId, versionId, atMs) {
      endpoints.set(endpointId, atMs);
      versions.set(versionId, atMs);
    },
    start() {
      timer = setInterval(() => {
        writing ??= flush()
          .catch((error: unknown) => logger.warn({ err: error }, 'execution times not written yet'))
          .finally(() => (writing = undefined));
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}

// Sorted, so that two processes lock rows in the same order.
function idsOf(times: ReadonlyMap<string, number>): string[] {
  return [...times.keys()].sort();
}

function timesOf(times: ReadonlyMap<string, number>): string[] {
  return idsOf(times).map((id) => new Date(times.get(id) ?? 0).toISOString());
}
