import { Estimator } from './estimator.ts';
import { behindJoinNanoseconds, blockNanoseconds, rowNanoseconds, usualRows } from './limits.ts';
import { SpanError } from '../query-error.ts';
import type { Resolved, ResolvedQuery } from '../resolved.ts';

/** How a query stays within what the engine can be stopped in: it checks time and cancellation between blocks of rows, never inside a call. */
export interface BoundedWork {
  /** Printed in place of these calls: they fail where a value of a row is too large for them. */
  guarded: ReadonlyMap<Resolved, Resolved>;
  /** Rows of a block, where as many as usual could take too long. */
  blockRows: number | undefined;
}

/**
 * Bounds what a query does between two checks of the time by the engine. Values that a query makes itself count with the most that they
 * can be, those of tables as they usually are. Throws `wrong_arguments` for a value that would be too large and `query_too_large` for what takes too long for a single row.
 */
export function boundWork(query: ResolvedQuery): BoundedWork {
  const estimator = new Estimator();
  estimator.query(query);
  const { guarded, spent } = estimator;
  const { steps, joinedSteps, behindJoinSteps } = spent;
  if (steps.of(1) + joinedSteps.of(usualRows) > rowNanoseconds)
    throw new SpanError(
      'query_too_large',
      'The query computes too much for a single row: functions of long lists or texts are nested; make the lists shorter, or turn them into rows with ARRAY JOIN or numbers(n)',
      spent.dearest ?? { start: 0, end: 0 },
    );
  if (behindJoinSteps.of(usualRows) > behindJoinNanoseconds)
    throw new SpanError(
      'query_too_large',
      'The query computes too much for each row after a join; compute it in sub-queries of one table each, and join those',
      spent.dearest ?? { start: 0, end: 0 },
    );
  let rows: number = usualRows;
  // A single row's work stays whatever the blocks are.
  while (rows > 1 && steps.of(rows) - steps.of(1) > blockNanoseconds) rows /= 2;
  return { guarded, blockRows: rows < usualRows / 4 ? rows : undefined };
}
