import { Budget, within } from '../../budget.ts';
import { SpanError } from '../../query-error.ts';
import { resolveTree } from '../../resolve/resolve-query.ts';
import { withSchema } from '../../schema/project-schema.ts';
import { withTimeZone } from '../../time-zone.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { Cte, SelectQuery } from '../../tree/statements.ts';
import type { ValueType } from '../../types.ts';
import { collectingWarnings } from '../../warnings.ts';
import { holdsAggregate } from '../selects/select-shape.ts';

/**
 * Types of expressions that stand in a SELECT's WHERE, without what the project has learned; undefined for those that cannot be told.
 * `ctes` are those before it.
 */
export function subjectTypes(
  subjects: readonly Expression[],
  query: SelectQuery,
  ctes: readonly Cte[],
): (ValueType | undefined)[] {
  return subjects.map((subject) => typeOf(probeOf(subject, query, ctes)));
}

// Aliases of the SELECT list may stand in WHERE.
function probeOf(subject: Expression, query: SelectQuery, ctes: readonly Cte[]): SelectQuery {
  const { select_from, array_join_op, array_join_list, start, end } = query;
  const aliases = query.select.filter((item) => item.node === 'Alias' && !holdsAggregate([item], query));
  return {
    node: 'SelectQuery',
    ctes: [...ctes, ...(query.ctes ?? [])],
    select: [subject, ...aliases],
    ...(select_from && { select_from }),
    ...(array_join_op && { array_join_op }),
    ...(array_join_list && { array_join_list }),
    start,
    end,
  };
}

function typeOf(probe: SelectQuery): ValueType | undefined {
  try {
    const { result } = collectingWarnings(undefined, () =>
      within(new Budget(), () =>
        withTimeZone('UTC', () => withSchema(undefined, () => resolveTree(probe, () => 'any'))),
      ),
    );
    return result.result.columns[0]?.type;
  } catch (error) {
    if (error instanceof SpanError) return undefined;
    throw error;
  }
}
