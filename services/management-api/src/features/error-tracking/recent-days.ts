/** Most days that are counted, or looked back on. */
export const daysMax = 90;

export const dayMs = 86_400_000;

/** The last days of UTC as `2026-01-31`, the earliest first, today included. Pure. */
export function recentDays(nowMs: number, days: number): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(nowMs - (days - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
