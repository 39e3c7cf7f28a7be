/** Source of the time: milliseconds since 1970. Tests pass their own. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** UTC with six digits, as events carry it: `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
export function isoMicroseconds(ms: number, microseconds = 0): string {
  return `${new Date(ms).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}

/** Waits, unless `signal` aborts first; never throws. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
