/** Where an entry lies within its stream. */
export interface Position {
  offset: bigint;
  index: number;
}
