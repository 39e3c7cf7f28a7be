/** An open-model load: when the requests go out is fixed beforehand, whatever becomes of those before. */
export interface Schedule {
  requestsPerSecond: number;
  /** Of the whole load. */
  seconds: number;
}

/** How many requests there are in all. Pure. */
export const requestsOf = ({ requestsPerSecond, seconds }: Schedule): number => Math.round(requestsPerSecond * seconds);

/** When a request is due, in milliseconds after the first one; evenly spaced. Pure. */
export const dueAtMs = ({ requestsPerSecond }: Schedule, index: number): number => (index * 1000) / requestsPerSecond;

/** How many requests are due once so many milliseconds have passed since the first. Pure. */
export function dueBy(schedule: Schedule, elapsedMs: number): number {
  if (elapsedMs < 0) return 0;
  return Math.min(requestsOf(schedule), Math.floor((elapsedMs * schedule.requestsPerSecond) / 1000 + 1e-6) + 1);
}
