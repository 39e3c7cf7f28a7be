/** Oldest releases of engines of the user's own that are taken. */
export const neededVersions = { clickhouse: '26.7', postgres: '16' } as const;

/** Whether `version` (`26.7.3.1`, `18.4 (Debian …)`) is the needed one or a later one. Pure. */
export function isNewEnough(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  for (const [at, part] of (want ?? []).entries()) {
    const own = have?.[at] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
