/** Oldest supported releases of engines of the user's own. */
export const neededVersions = { clickhouse: '26.7', postgres: '16' } as const;

/** True when `version` (`26.7.3.1`, `18.4 (Debian …)`) is `needed` or later. Pure. */
export function isNewEnough(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  for (const [at, part] of (want ?? []).entries()) {
    const own = have?.[at] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
