/** Filters that cannot be understood. The message is for their author. */
export class FilterError extends Error {
  override name = 'FilterError';
}
