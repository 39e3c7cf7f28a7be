import { AppError } from '@millrace/http/errors.ts';

export interface RunSlots {
  /** Runs the work while it holds one slot. @throws {AppError} throttled or query_capacity when none is free */
  within<Result>(projectId: number, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Bounds the queries of this process that run at a time: a project that has its own share running is told 429, and when
 * the engine's share is full everybody is told 503 (contract/decisions 17). Nobody waits in line.
 */
export function createRunSlots(max: number, perProjectMax: number): RunSlots {
  const running = new Map<number, number>();
  let total = 0;
  return {
    async within(projectId, work) {
      const own = running.get(projectId) ?? 0;
      if (own >= perProjectMax) throw new AppError('throttled', { detail: `This project runs ${own} queries already. Try again when one has ended.`, retryAfterS: 1 });
      if (total >= max) throw new AppError('query_capacity', { retryAfterS: 2 });
      running.set(projectId, own + 1);
      total += 1;
      try {
        return await work();
      } finally {
        total -= 1;
        const left = (running.get(projectId) ?? 1) - 1;
        if (left === 0) running.delete(projectId);
        else running.set(projectId, left);
      }
    },
  };
}
