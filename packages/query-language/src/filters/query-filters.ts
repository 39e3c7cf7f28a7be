/** Subject of a condition. */
export type FilterSubject = { of: 'event' | 'person' | 'session' | 'column' } | { of: 'group'; index: number };

/** One value: texts and numbers as they are given; times as `parseTime` returns them. */
export type FilterTest =
  | { operator: 'in' | 'not in'; values: readonly string[] | readonly number[] }
  | { operator: 'contains' | 'not contains' | 'matches' | 'not matches'; values: readonly string[] }
  | { operator: '>' | '>=' | '<' | '<='; value: string | number }
  | { operator: 'between' | 'not between'; from: string | number; to: string | number }
  | { operator: 'in time'; from: string | undefined; to: string | undefined }
  | { operator: 'set' | 'not set' };

/** One property, or column, of the subject and what its value must pass. */
export interface FilterCondition {
  subject: FilterSubject;
  key: string;
  test: FilterTest;
}

/** Conditions of which all hold, or any. */
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
