import type { Expression } from '../tree/expressions.ts';

/** Subject of a condition. `element`: any of the clicked elements, of which `key` is `text` or `href`. */
export type FilterSubject =
  { of: 'event' | 'person' | 'session' | 'column' | 'element' } | { of: 'group'; index: number };

/** One value: texts and numbers as they are given; times as `parseTime` returns them, versions as `versionKey` does. */
export type FilterOperator =
  | { operator: 'in' | 'not in'; values: readonly string[] }
  | { operator: 'contains' | 'not contains' | 'matches' | 'not matches'; values: readonly string[] }
  | { operator: '>' | '>=' | '<' | '<='; value: string | number }
  | { operator: 'between' | 'not between'; from: string | number; to: string | number }
  | { operator: 'in time'; from: string | undefined; to: string | undefined }
  | { operator: 'version'; comparison: '==' | '!=' | '>' | '>=' | '<' | '<='; value: string }
  | { operator: 'version in'; from: string; before: string }
  | { operator: 'set' | 'not set' };

/** One property, or column, of the subject and what its value must pass. */
interface PropertyCondition {
  subject: FilterSubject;
  key: string;
  test: FilterOperator;
}

/** Patterns of which the text of the clicked elements matches one, or none. */
interface ElementsCondition {
  patterns: readonly string[];
  negated: boolean;
}

/** A condition in the query language. `units`: the cost of its text. */
export interface ExpressionCondition {
  expression: Expression;
  text: string;
  units: number;
}

export type FilterCondition = PropertyCondition | ElementsCondition | ExpressionCondition;

/** Conditions of which all hold, or any; without one it holds. */
export interface FilterGroup {
  all: boolean;
  members: readonly (FilterCondition | FilterGroup)[];
}

/** The value of `{filters}` (contract/endpoints 2.1). Times are UTC, as `parseTime` returns them, both inclusive. */
export interface QueryFilters {
  from: string | undefined;
  to: string | undefined;
  /** A bound as it was given that is less than an hour's number of minutes ago, `-1M`: a month may be meant. */
  minutes?: string | undefined;
  conditions: FilterGroup;
}
