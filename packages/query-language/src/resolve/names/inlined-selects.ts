import { SpanError, type Span } from '../../query-error.ts';

const selectsMax = 500;

/**
 * Counts the SELECTs of a statement as ClickHouse sees it: it puts the query of a CTE in each place that names it, and looks at no time limit
 * before all of that is planned. CTEs that name the one before twice double with each.
 */
export class InlinedSelects {
  private count = 0;

  /** @throws {SpanError} query_too_large: there are more than 500 */
  add(selects: number, span: Span): void {
    this.count += selects;
    if (this.count > selectsMax)
      throw new SpanError(
        'query_too_large',
        `The query has more than ${selectsMax} SELECTs. Those of a CTE count each time it is used, directly or by another CTE. Use CTEs less often, or split the query into several`,
        span,
      );
  }

  /** The result of `define`, and its SELECTs: they count where it is named. */
  apart<Result>(define: () => Result): { result: Result; selects: number } {
    const { count } = this;
    this.count = 0;
    const result = define();
    const selects = this.count;
    this.count = count;
    return { result, selects };
  }
}
