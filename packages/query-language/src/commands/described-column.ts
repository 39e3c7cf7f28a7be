/** A column as DESCRIBE shows it. */
export interface DescribedColumn {
  /** As a query writes it: `event`, `person.created_at`. */
  name: string;
  type: string;
  /** True for a column that `*` expands to. */
  inStar: boolean;
}
