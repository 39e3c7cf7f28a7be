import { costOf, spend } from '../../budget.ts';
import { SpanError, type Span } from '../../query-error.ts';
import type { ResolvedQuery } from '../../resolved.ts';
import { checkAlias } from '../names/scope.ts';

/** The query with these names of its columns, as in `(VALUES (1, 2)) AS t(a, b)`. Throws `SpanError` when they are not as many. */
export function withColumnNames(query: ResolvedQuery, names: readonly string[] | undefined, span: Span): ResolvedQuery {
  if (names === undefined) return query;
  if (names.length !== query.columns.length)
    throw new SpanError(
      'wrong_arguments',
      `${names.length} name${names.length === 1 ? '' : 's'} for ${query.columns.length} column${query.columns.length === 1 ? '' : 's'}`,
      span,
    );
  spend(names.length * costOf.visit, span);
  const columns = query.columns.map((column, at) => ({ ...column, name: checkAlias(names[at] ?? '', span) }));
  return { ...query, columns };
}
