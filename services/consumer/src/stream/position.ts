/** Position of an entry in its stream. */
export interface Position {
  offset: bigint;
  index: number;
}
