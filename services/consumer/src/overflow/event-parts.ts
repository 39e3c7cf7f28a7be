import { delay } from '@millrace/runtime/clock.ts';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';

/**
 * How many parts ClickHouse has of the table of events. Each month of each insert makes one, queries of all tenants read all of them,
 * and from `max_parts_in_total` on every insert fails.
 */
export interface EventParts {
  /** True when the last known number of parts is above `max`. */
  areMany(): boolean;
  /** Resolves when there are at most `max`, when `signal` aborts, or after ten minutes: then the caller continues slowly. */
  few(signal: AbortSignal): Promise<void>;
  start: () => void;
  stop: () => Promise<void>;
}

export interface EventPartsOptions {
  max: number;
  /** Interval of the queries to ClickHouse, in milliseconds; default 2,000. */
  everyMs?: number;
  /** Longest wait of `few`, in milliseconds. */
  waitMsMax?: number;
  /** Called with each count, */
  onCount: (parts: number) => void;
  /** and when there are too many now, or no more. */
  onChange: (areMany: boolean, parts: number) => void;
  /** ClickHouse does not reply; called once until it does again. Meanwhile its last reply counts. */
  onLost: (error: unknown) => void;
}

const lookupSql =
  "SELECT toUInt32(active_parts) AS parts FROM system.tables WHERE database = 'analytics' AND name = 'events'";

/** Polls from `start` to `stop`. */
export function createEventParts(
  query: QueryClickhouse,
  { max, everyMs = 2_000, waitMsMax = 600_000, onCount, onChange, onLost }: EventPartsOptions,
): EventParts {
  const stopping = new AbortController();
  let known: number | null = null;
  let isLost = false;
  let running: Promise<void> = Promise.resolve();
  const areMany = (): boolean => known !== null && known > max;

  async function refresh(): Promise<void> {
    const before = areMany();
    try {
      const [found] = await query<{ parts: number }>({ sql: lookupSql, params: {} });
      isLost = false;
      if (found !== undefined) onCount((known = found.parts));
    } catch (error) {
      if (!isLost) onLost(error);
      isLost = true;
    }
    if (before !== areMany()) onChange(!before, known ?? 0);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await refresh();
      await delay(everyMs, stopping.signal);
    }
  }

  return {
    areMany,
    async few(signal) {
      const untilMs = performance.now() + waitMsMax;
      while (areMany() && !signal.aborted && performance.now() < untilMs) await delay(everyMs, signal);
    },
    start: () => void (running = run()),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
