/** A family of statements: one for each length in UTF-16 units. */
export interface CostlyFamily {
  name: string;
  make: (length: number) => string;
}
