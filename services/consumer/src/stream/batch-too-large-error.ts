/** Thrown when a batch cannot be processed as a whole: it must be divided. */
export class BatchTooLargeError extends Error {
  override name = 'BatchTooLargeError';
}
