import { presentBudget, within, type Budget } from '../../budget.ts';
import { SpanError } from '../../query-error.ts';
import type { OutputColumn } from '../../resolved.ts';
import { resolveTree } from '../../resolve/resolve-query.ts';
import { withSchema } from '../../schema/project-schema.ts';
import { withTimeZone } from '../../time-zone.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { Cte, SelectQuery, Statement } from '../../tree/statements.ts';
import type { ValueType } from '../../types.ts';
import { collectingWarnings } from '../../warnings.ts';
import { holdsAggregate } from '../selects/select-shape.ts';

/**
 * Types of expressions that stand in a SELECT's WHERE, without what the project has learned; undefined for those that cannot be told.
 * `ctes` are those before it. All of them cost no more than one statement may.
 */
export function subjectTypes(
  subjects: readonly Expression[],
  query: SelectQuery,
  ctes: readonly Cte[],
): (ValueType | undefined)[] {
  const budget = presentBudget();
  const all = typesOf(probeOf(subjects, query, ctes), budget);
  return subjects.map((subject, at) => (all ?? typesOf(probeOf([subject], query, ctes), budget))?.[all ? at : 0]);
}

// Aliases of the SELECT list may stand in WHERE.
function probeOf(subjects: readonly Expression[], query: SelectQuery, ctes: readonly Cte[]): SelectQuery {
  const { select_from, array_join_op, array_join_list, start, end } = query;
  const aliases = query.select.filter((item) => item.node === 'Alias' && !holdsAggregate([item], query));
  return {
    node: 'SelectQuery',
    ctes: [...ctes, ...(query.ctes ?? [])],
    select: [...subjects, ...aliases],
    ...(select_from && { select_from }),
    ...(array_join_op && { array_join_op }),
    ...(array_join_list && { array_join_list }),
    start,
    end,
  };
}

/** Names of the columns of a statement's result, those of stars too; undefined where they cannot be told. */
export function resultNames(tree: Statement): readonly string[] | undefined {
  return columnsOf(tree, presentBudget())?.map(({ name }) => name);
}

function typesOf(probe: SelectQuery, budget: Budget): readonly ValueType[] | undefined {
  return columnsOf(probe, budget)?.map(({ type }) => type);
}

function columnsOf(tree: Statement, budget: Budget): readonly OutputColumn[] | undefined {
  const isPlanners = budget === presentBudget();
  try {
    const { result } = collectingWarnings(undefined, () =>
      within(budget, () => withTimeZone('UTC', () => withSchema(undefined, () => resolveTree(tree, () => 'any')))),
    );
    return result.result.columns;
  } catch (error) {
    // A plan that has no budget left is none: another would be made where there is more.
    if (isPlanners && budget.left < 0) throw error;
    if (error instanceof SpanError) return undefined;
    throw error;
  }
}
