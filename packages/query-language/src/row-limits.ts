/** The page that a run requests. `rowsMax` is the hard cap. */
export interface RowRequest {
  limit?: number | undefined;
  offset?: number | undefined;
  rowsMax: number;
}

/** How many rows are fetched, from where, and how many of them the caller may return. */
export interface RowLimits {
  /** Most rows that are returned. */
  rowLimit: number;
  /** LIMIT as printed: `rowLimit`, or one more. */
  fetchLimit: number;
  fetchOffset: number;
  /** When a row more than `rowLimit` arrives, there is a next page (or the cap cut the result): `hasMore`. Otherwise `hasMore` is false. */
  extraRowMeansMore: boolean;
}

/**
 * The rules of contract/endpoints 4.5: the SQL's own LIMIT is a ceiling over all pages, its OFFSET comes before theirs;
 * one row more is fetched to show whether there is a next page, but not where the ceiling ends the result anyway.
 */
export function rowLimits(
  own: { limit: number | undefined; offset: number | undefined },
  request: RowRequest,
): RowLimits {
  const skipped = request.offset ?? 0;
  const left = own.limit === undefined ? Infinity : Math.max(0, own.limit - skipped);
  const rowLimit = Math.min(request.limit ?? Infinity, request.rowsMax, left);
  const extraRowMeansMore = rowLimit < left;
  return {
    rowLimit,
    fetchLimit: extraRowMeansMore ? rowLimit + 1 : rowLimit,
    fetchOffset: (own.offset ?? 0) + skipped,
    extraRowMeansMore,
  };
}
