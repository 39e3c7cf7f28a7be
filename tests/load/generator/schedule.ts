/** An open-model load: when the requests go out is fixed beforehand, whatever becomes of those before. */
export interface Schedule {
  requestsPerSecond: number;
  /** Length of the whole load. */
  seconds: number;
}

/** How many requests there are in all. Pure. */
export const requestsOf = ({ requestsPerSecond, seconds }: Schedule): number => Math.round(requestsPerSecond * seconds);

/** When a request is due, in milliseconds after the first one; evenly spaced. Pure. */
export const dueAtMs = ({ requestsPerSecond }: Schedule, index: number): number => (index * 1000) / requestsPerSecond;

/** How many requests are due when `elapsedMs` have passed since the first. Pure. */
export function dueBy(schedule: Schedule, elapsedMs: number): number {
  if (elapsedMs < 0) return 0;
  return Math.min(requestsOf(schedule), Math.floor((elapsedMs * schedule.requestsPerSecond) / 1000 + 1e-6) + 1);
}

/** How long after the end of the schedule an acknowledgement still counts for the rate that was reached. */
const graceMs = 1_000;

/** Requests a second that were acknowledged, as long as the schedule lasted. Pure. */
export function reachedPerSecond(schedule: Schedule, latenciesMs: Float64Array): number {
  const endMs = schedule.seconds * 1000 + graceMs;
  const inTime = latenciesMs.filter((latencyMs, index) => dueAtMs(schedule, index) + latencyMs <= endMs);
  return inTime.length / schedule.seconds;
}
