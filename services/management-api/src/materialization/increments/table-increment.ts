/** Facts of a table by which the next build knows what changed since, and whether it may trust them. They are kept with the table. */
export interface TableIncrement {
  /** Hash of the whole build's query and of the table's columns. */
  fingerprint: string;
  /** By ClickHouse's clock, before the table's rows were read: milliseconds since 1970. */
  readAtMs: number;
  /** Start of the last whole build, by the clock of Postgres: milliseconds since 1970. */
  wholeAtMs: number;
  /** Buckets that the last whole build stored. */
  bucketsStored: number;
}
