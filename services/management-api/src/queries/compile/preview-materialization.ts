import type { PlannedAggregate, RangePair } from '@millrace/query-language/materialization/plan.ts';
import type { FilterCondition, FilterGroup } from '@millrace/query-language/filters/query-filters.ts';
import { volatileIn } from '@millrace/query-language/materialization/selects/aggregates.ts';
import { findPlaceholders } from '@millrace/query-language/placeholders/placeholders.ts';
import type { Statement } from '@millrace/query-language/tree/statements.ts';
import { writeStatement } from '@millrace/query-language/write/write-statement.ts';
import type { CheckedQuery, SavedQuery } from './check-query.ts';
import { readFilters, type GivenFilters } from '../definition/filters.ts';
import { readDeclarations } from '../definition/variables.ts';
import { planStored } from './plan-stored.ts';

/** How a saved query would be stored and read (contract/endpoints 6.7). */
export interface MaterializationPreview {
  can_materialize: boolean;
  /** The first rule that refuses it, as a sentence and as its code (contract/decisions 4); null when none does. */
  reason: string | null;
  reason_code: string | null;
  /** The query that fills the table. */
  transformed_query: string | null;
  /** The query on the table, with the variables in it. */
  execution_query: string | null;
  /** The same query with the name of the endpoint as its table. */
  display_execution_query: string | null;
  range_pairs: RangePair[];
  aggregates: PlannedAggregate[];
  /** Functions whose values are those of the build's time, and `{filters}` with relative dates. */
  volatile_functions: string[];
  /** Variables that runs may leave out. */
  optional_variables: string[];
}

/** A version's query, and what its table is called. */
export interface PreviewedQuery {
  query: SavedQuery;
  name: string;
  version: number;
  /** Words for the size of buckets by the path of a column (contract/endpoints 6.4). */
  bucketOverrides: Readonly<Record<string, string>> | null;
  /** Properties of an insight's breakdown that runs may leave out. */
  optionalBreakdowns?: readonly string[];
}

/**
 * Plans the query, and shows the plan or the rule that refuses it. `units`: the most that the plan may take. Pure.
 * @throws {SpanError} query_too_large: it takes more
 */
export function previewMaterialization(
  { query: saved, name, version, bucketOverrides, optionalBreakdowns = [] }: PreviewedQuery,
  units?: number,
): MaterializationPreview {
  const planned = planStored(saved, bucketOverrides, units);
  if (!planned.ok) {
    const { reason, code } = planned.refusal;
    return { ...withoutPlan, can_materialize: false, reason, reason_code: code };
  }
  if ('insight' in planned) return { ...withoutPlan, optional_variables: [...optionalBreakdowns] };
  const query = saved as CheckedQuery;
  const { build, read, keys, rangePairs, aggregates, volatile } = planned.plan;
  return {
    can_materialize: true,
    reason: null,
    reason_code: null,
    // Without variables the query is stored as its author wrote it.
    transformed_query: readDeclarations(query.variables).length === 0 ? query.query : writeStatement(build),
    execution_query: writeStatement(read(`${name}_v${version}`)),
    display_execution_query: writeStatement(read(name)),
    range_pairs: [...rangePairs],
    aggregates: [...aggregates],
    volatile_functions: [...volatile, ...(filtersFreeze(build, query.filters) ? ['{filters}'] : [])],
    optional_variables: [...new Set(keys.filter(({ isOptional }) => isOptional).map(({ variable }) => variable))],
  };
}

// Relative dates are others when more than a year has passed. An expression may ask for the time itself.
function filtersFreeze(build: Statement, filters: GivenFilters): boolean {
  if (!findPlaceholders(build).some(({ chain: [name] }) => name === 'filters')) return false;
  const [one, other] = [Date.UTC(2025, 0, 1), Date.UTC(2026, 5, 15)].map((nowMs) =>
    readFilters(filters, { timeZone: 'UTC', testAccounts: [], nowMs }),
  );
  return JSON.stringify(one) !== JSON.stringify(other) || (one !== undefined && hasVolatile(one.conditions));
}

function hasVolatile(member: FilterGroup | FilterCondition): boolean {
  if ('members' in member) return member.members.some(hasVolatile);
  return 'expression' in member && volatileIn(member.expression).length > 0;
}

/** Preview of an insight, of which no SQL is shown: its statement is no text of a user. */
const withoutPlan: MaterializationPreview = {
  can_materialize: true,
  reason: null,
  reason_code: null,
  transformed_query: null,
  execution_query: null,
  display_execution_query: null,
  range_pairs: [],
  aggregates: [],
  volatile_functions: [],
  optional_variables: [],
};
