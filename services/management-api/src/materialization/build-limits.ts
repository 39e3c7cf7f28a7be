/** Limits of one build. */
export interface BuildLimits {
  /** Longest build in seconds: all its statements in ClickHouse together. */
  secondsMax: number;
  /** Most memory of it in bytes. */
  memoryBytesMax: number;
  /** Most rows and bytes that it reads. */
  readRowsMax: number;
  readBytesMax: number;
  /** Most rows and bytes that it stores. */
  rowsMax: number;
  bytesMax: number;
  threadsMax: number;
}

/** Limits of all processes together. */
export interface BuildSlots {
  /** Most builds at a time. */
  runningMax: number;
  runningPerProjectMax: number;
}
