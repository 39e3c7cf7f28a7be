import { LRUCache } from 'lru-cache';

/** Bytes that a project may make the consumer write in the main lane: on average a second, and at once. */
export interface BytesRate {
  perSecond: number;
  burst: number;
}

/** Bytes that the consumer wrote for each project. Times are those at which the records were appended. */
export interface ProjectShares {
  /** The project has used up its share: its events leave the main lane, at that time and for a minute. */
  isUsedUp: (projectId: number, appendedAtMs: number) => boolean;
  charge: (projectId: number, bytes: number, appendedAtMs: number) => void;
}

interface Bucket {
  /** Bytes that are left; below 0 they are to be paid off first. */
  bytes: number;
  atMs: number;
  leavesUntilMs: number;
}

/** Longer than any burst takes to come back, so that a project does not change lanes with every batch. */
const leavesForMs = 60_000;
/** Projects that are held. One that is evicted begins with a full share, as one that has rested. */
const projectsMax = 10_000;

/**
 * A token bucket for each project. It is filled by the time at which records were appended, not by the clock: who sends as much as they may
 * is not turned away because the consumer was down meanwhile and now reads all of it at once.
 */
export function createProjectShares({ perSecond, burst }: BytesRate): ProjectShares {
  const buckets = new LRUCache<number, Bucket>({ max: projectsMax });

  function bucketOf(projectId: number, nowMs: number): Bucket {
    let bucket = buckets.get(projectId);
    if (bucket === undefined)
      buckets.set(projectId, (bucket = { bytes: burst, atMs: nowMs, leavesUntilMs: -Infinity }));
    // Streams are not equally far: the youngest record counts.
    const seconds = Math.max(0, nowMs - bucket.atMs) / 1000;
    bucket.bytes = Math.min(burst, bucket.bytes + seconds * perSecond);
    bucket.atMs = Math.max(bucket.atMs, nowMs);
    return bucket;
  }

  return {
    isUsedUp(projectId, appendedAtMs) {
      const bucket = buckets.get(projectId);
      // Most projects are never charged.
      if (bucket === undefined) return false;
      if (appendedAtMs < bucket.leavesUntilMs) return true;
      if (bucketOf(projectId, appendedAtMs).bytes > 0) return false;
      bucket.leavesUntilMs = appendedAtMs + leavesForMs;
      return true;
    },
    charge(projectId, bytes, appendedAtMs) {
      bucketOf(projectId, appendedAtMs).bytes -= bytes;
    },
  };
}
