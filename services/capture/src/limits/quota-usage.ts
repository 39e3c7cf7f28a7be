import type { QuotaPeriod, QuotaResource } from '@millrace/contracts/project-limits.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { createQuotaCounter, renewCounter, type QuotaCounter } from './quota-counter.ts';

/** Use of a quota in a period. */
export interface UsageRow {
  projectId: number;
  resource: QuotaResource;
  /** `YYYY-MM-DD` */
  periodStart: string;
  used: number;
}

/** Adds to what is used, and returns the sums of all processes; rows of 0 only read. */
export type AddUsage = (rows: readonly UsageRow[]) => Promise<readonly UsageRow[]>;

export interface QuotaUsage {
  /** The counter of a quota; the same one for as long as its period is of the same kind. */
  counter(projectId: number, resource: QuotaResource, period: QuotaPeriod): QuotaCounter;
  /** Forgets the counters that are not among `kept`, except those with unreported use. */
  keepOnly(kept: ReadonlySet<QuotaCounter>): void;
  /**
   * Writes the used quotas to the database, and reads what other processes used. Throws what `AddUsage` throws; nothing
   * is lost then.
   */
  report(): Promise<void>;
}

/** Counts what is used of quotas: in memory for each event, in the database for all processes together. */
export function createQuotaUsage(add: AddUsage, clock: Clock): QuotaUsage {
  const counters = new Map<string, { projectId: number; resource: QuotaResource; counter: QuotaCounter }>();

  return {
    counter(projectId, resource, period) {
      const key = `${projectId}:${resource}:${period}`;
      const known = counters.get(key);
      if (known !== undefined) return known.counter;
      const counter = createQuotaCounter(period, clock.nowMs());
      counters.set(key, { projectId, resource, counter });
      return counter;
    },

    keepOnly(kept) {
      for (const [key, { counter }] of counters)
        if (!kept.has(counter) && counter.unreported === 0) counters.delete(key);
    },

    async report() {
      if (counters.size === 0) return;
      const reported = [...counters.values()].map((entry) => {
        renewCounter(entry.counter, clock.nowMs());
        return { ...entry, periodStart: entry.counter.periodStart, used: entry.counter.unreported };
      });
      const sums = await add(
        reported.map(({ projectId, resource, periodStart, used }) => ({ projectId, resource, periodStart, used })),
      );
      const usedNow = new Map(sums.map((row) => [`${row.projectId}:${row.resource}:${row.periodStart}`, row.used]));
      for (const { projectId, resource, counter, periodStart, used } of reported) {
        // The next period may have begun meanwhile: then the counter has started again.
        if (counter.periodStart !== periodStart) continue;
        counter.unreported -= used;
        counter.used = usedNow.get(`${projectId}:${resource}:${periodStart}`) ?? used;
      }
    },
  };
}
