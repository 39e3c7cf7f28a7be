import type { TSchema } from 'typebox';
import type { FilterCondition } from '@millrace/query-language/filters/query-filters.ts';
import type { Statement } from '@millrace/query-language/tree/statements.ts';
import type { FilterContext } from '../definition/filters.ts';
import type { DateRange, DateSpan } from './dates/date-span.ts';

/** Moment, zone and project settings with which a definition is read. */
export interface InsightContext extends FilterContext {
  /** Filters of an override, which hold beside those of the definition. */
  also?: readonly unknown[];
  /** Conditions of a run that select values of breakdowns. */
  selected?: readonly FilterCondition[];
}

/** Fields that every kind has, checked for their shape (contract/insights 1.1). */
export interface CommonDefinition {
  kind: string;
  dateRange?: DateRange;
}

/** A definition of an insight in its normal form: as it was given. */
export interface CheckedInsight extends Record<string, unknown> {
  kind: string;
}

/** One row of the table of kinds: all that a kind of insight decides. */
export interface InsightKind {
  /** `kind` of a definition. */
  kind: string;
  /** Strict schema of a definition without its nulls. */
  schema: TSchema;
  /**
   * Question of a definition that fits the schema, at the context's moment.
   * @throws {AppError} 400 on `query`: what no schema says
   */
  prepare(definition: never, context: InsightContext): InsightQuery;
  /** Places in the statement's rows; null: no values of its breakdowns are variables of its endpoints (contract/insights 12). */
  breakdownAt: BreakdownPlaces | null;
  /** Its results are rows of named columns, which can be streamed. */
  hasTable: boolean;
  /** Events whose first one `date_from: "all"` begins with; null: any. */
  earliestOf(definition: never): readonly (string | null)[];
}

/** Places of a breakdown in a row: of its first value, behind which the others stand, and of whether values are folded into the row. */
interface BreakdownPlaces {
  values: number;
  folded: number;
}

/** An insight whose definition is read: the maker of its statement, and the reader of its rows. */
export interface InsightQuery {
  /** Made on request: the key of a cached run needs the ranges alone. */
  statement: () => Statement;
  /** Range of the results, and that which they are compared with. */
  spans: { current: DateSpan; previous?: DateSpan | undefined };
  /** Results of the statement's rows, which are lists in the order of its columns. Pure. */
  shape(rows: readonly Row[]): InsightResult;
}

/** Ranges of an insight, both ends inclusive, UTC texts of microseconds. */
export interface InsightRange {
  current: Bounds;
  previous?: Bounds | undefined;
}

type Bounds = Pick<DateSpan, 'from' | 'to'>;

/** A row of ClickHouse's JSONCompact. */
export type Row = readonly unknown[];

/** Part of a reply that differs by kind (contract/insights 1.3). */
export interface InsightResult {
  results: unknown;
  hasMore: boolean;
  /** Kinds only whose results are a table. */
  table?: { columns: string[]; types: [string, string][]; limit: number; offset: number };
}

/** Rows that a statement may have: 26 series of two periods with 10,001 values each. */
export const insightRowsMax = 26 * 2 * 10_001;
