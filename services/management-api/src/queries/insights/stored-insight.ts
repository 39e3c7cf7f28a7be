import { all, compare, constant, field, isNull, not } from '@millrace/query-language/insights/nodes.ts';
import { storedColumnName } from '@millrace/query-language/stored/stored-table.ts';
import type { Expression } from '@millrace/query-language/tree/expressions.ts';
import type { FilterContext } from '../definition/filters.ts';
import type { VariableValue } from '../definition/variables.ts';
import { withoutNulls } from './definition/checked-definition.ts';
import type { InsightKind, InsightQuery } from './insight-kind.ts';
import { breakdownsOf } from './insight-variables.ts';

/** A stored insight, kept with its table. Its ranges are those of the moment of the build, whenever it is read (contract/endpoints 6.1). */
export interface StoredInsight {
  nowMs: number;
  earliest?: string;
  /** Column that is true of rows of folded values; left out where no variable picks rows. */
  folded?: string;
}

/** A column of the stored rows, and the variable whose values it holds: a property of the breakdown. */
interface StoredKey {
  variable: string;
  column: string;
}

/** The insight at the moment of its build: its statement fills the table, and its shape makes results of the stored rows. @throws {AppError} as `prepare` does */
export const prepareStored = (
  kind: InsightKind,
  query: Readonly<Record<string, unknown>>,
  context: FilterContext,
): InsightQuery => kind.prepare(withoutNulls(query) as never, context);

/** Columns of the breakdown among the stored ones. Pure. */
export function storedBreakdown(
  { breakdownAt }: InsightKind,
  query: Readonly<Record<string, unknown>>,
): { keys: StoredKey[]; folded?: string } {
  const breakdowns = breakdownAt === null ? [] : breakdownsOf(withoutNulls(query) as object);
  if (breakdownAt === null || breakdowns.length === 0) return { keys: [] };
  const { values, folded } = breakdownAt;
  return {
    keys: breakdowns.map(({ property }, index) => ({ variable: property, column: storedColumnName(values + index) })),
    folded: storedColumnName(folded),
  };
}

/**
 * Condition on stored rows: each value that is given is that of its column, an empty one finds rows without a value, and rows of folded values
 * have none. Without a value every row is found. Pure.
 */
export function storedRowsOf(
  keys: readonly StoredKey[],
  folded: string | undefined,
  values: Readonly<Record<string, VariableValue>>,
): Expression | undefined {
  const picked = keys.flatMap(({ variable, column }) => {
    const value = values[variable] ?? null;
    if (value === null) return [];
    return [value === '' ? isNull(field(column)) : compare(field(column), '==', constant(String(value)))];
  });
  if (picked.length === 0 || folded === undefined) return undefined;
  return all(not(field(folded)), ...picked);
}
