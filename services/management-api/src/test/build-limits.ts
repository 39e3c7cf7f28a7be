import type { BuildLimits } from '../materialization/build-limits.ts';

/** Limits that no build of a test meets by chance. */
export const buildLimits: BuildLimits = {
  secondsMax: 60,
  memoryBytesMax: 500_000_000,
  readRowsMax: 1_000_000_000,
  readBytesMax: 1_000_000_000_000,
  rowsMax: 1_000_000,
  bytesMax: 1_000_000_000,
  threadsMax: 1,
};
