import { createHash } from 'node:crypto';

/** Least and greatest share of its freshness after which a version is built again. */
export const sharesOfWindow = { least: 0.8, greatest: 0.9 } as const;

/**
 * Share of a version's freshness after which it is built again: 0.8 to 0.9, always the same for one version. So versions that were made
 * together are not built together. Pure.
 */
export function shareOfWindow(versionId: string): number {
  const { least, greatest } = sharesOfWindow;
  const spread = createHash('sha256').update(versionId).digest().readUInt32BE(0) / 2 ** 32;
  return least + spread * (greatest - least);
}

/** Seconds from the start of a build, when it reads its rows, to the start of the next one. A long build begins earlier. Pure. */
export function secondsToNextBuild(
  versionId: string,
  { freshnessSeconds, tookSeconds }: { freshnessSeconds: number; tookSeconds: number },
): number {
  const early = Math.min(tookSeconds, freshnessSeconds / 4);
  return Math.max(shareOfWindow(versionId) * freshnessSeconds - early, leastSeconds);
}

/** Seconds to the next try after failures that were not the query's. Pure. */
export function secondsToRetry(failures: number): number {
  return Math.min(leastSeconds * 2 ** Math.min(failures, 20), 600);
}

const leastSeconds = 10;
