import { whileLocked as whileJobLocked, type JobLock } from '../jobs/job-lock.ts';

/** Held by one process at a time. */
export type SquashLock = JobLock;

const lock = { key: 7_210_455_001, applicationName: 'millrace-squash-overrides' };

/** Does the work while no other process squashes; null when one does. */
export const whileLocked = <T>(postgresUrl: string, work: (lock: SquashLock) => Promise<T>): Promise<T | null> =>
  whileJobLocked(postgresUrl, lock, work);
