/** Operators, each with the one that it denies or null (contract/orgs-errors 3.2). */
export const operators = {
  exact: null,
  is_not: 'exact',
  icontains: null,
  not_icontains: 'icontains',
  regex: null,
  not_regex: 'regex',
  gt: null,
  gte: null,
  lt: null,
  lte: null,
  is_set: null,
  is_not_set: 'is_set',
  in: null,
  not_in: 'in',
  between: null,
  not_between: 'between',
  is_date_exact: null,
  is_date_before: null,
  is_date_after: null,
} as const satisfies Record<string, string | null>;

export type Operator = keyof typeof operators;

/** Operators that deny no other. */
export type PositiveOperator = { [Name in Operator]: (typeof operators)[Name] extends null ? Name : never }[Operator];

export type Scalar = string | number | boolean;

/** A condition on one property of an event. */
export interface Filter {
  key: string;
  operator: Operator;
  /** Never empty, except of `is_set` and `is_not_set`, which have none. */
  values: readonly Scalar[];
}

/** Conditions of which all or any must hold. Without a condition anywhere below it matches every event. */
export interface FilterGroup {
  type: 'AND' | 'OR';
  values: readonly (Filter | FilterGroup)[];
}

/**
 * `invalid`: they are no filters. `uncompilable`: they have the form of filters, and cannot be evaluated here. The message is a sentence
 * for the one who wrote them.
 */
export class FilterError extends Error {
  override name = 'FilterError';
  readonly kind: 'invalid' | 'uncompilable';
  constructor(kind: 'invalid' | 'uncompilable', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Bounds of the filters of one rule. */
export const filterLimits = {
  /** Groups within groups. */
  depthMax: 10,
  /** Filters and groups, all together. */
  partsMax: 200,
  /** Values of one filter. */
  valuesMax: 1_000,
  keyLengthMax: 1_000,
  valueLengthMax: 10_000,
  patternLengthMax: 1_000,
  /** Characters of all of it as JSON. */
  charsMax: 65_536,
} as const;
