import { SpanError, type Span } from './query-error.ts';

/**
 * Units that compiling one statement may take, each up to 0.1 µs of the thread and 130 bytes: together less than 50 ms and 64 MB,
 * whatever the statement is (`testing/search-costs.ts`). A statement that people write takes a hundredth.
 */
export const compileUnits = 406_000;

/** Units of what compiling makes, charged before it is made. */
export const costOf = {
  /** A token of the text. */
  token: 8,
  /** A pair of brackets, a lambda, a CASE, an expression of a template: its content is parsed and resolved by itself. */
  brackets: 48,
  /** An expression of the text that is resolved. */
  expression: 2,
  /** A literal of the text. */
  literal: 1,
  /** A call, or a literal, of the resolved tree. */
  node: 2,
  /** An argument of a call, a part of a path. */
  part: 2,
  /** A SELECT with the names that it sees. */
  select: 170,
  /** A column that a star or a pattern stands for. */
  column: 12,
  /** A value that is visited once more: a column of a UNION's member, a name that is looked for in another table. */
  visit: 12,
  /** An aggregate with an order of its own: values are collected with their keys, and sorted by a lambda. */
  sorted: 200,
  /** Expressions that are brought to one type. */
  alignment: 28,
  /** A member of a list that a run gives: bound, or brought to the type of what it meets. */
  member: 0.8,
  meeting: 3,
  /** A character of a text of the run that is gone through: of a pattern, a path, a format. */
  letter: 0.2,
  /** A character of a pattern that is weighed, once in a statement. */
  weigh: 2,
  /** The offsets that a zone of the result has had, which are looked for once in a process. */
  zone: 9_000,
  /** A name of a zone that is not in the runtime's list, which is asked for it. */
  zoneName: 1_000,
  /** A text that is read as a time. */
  time: 22,
  /** A property that is brought to a number or a boolean, a text to a time. */
  conversion: 20,
  /** A call or a sum that is rewritten: in other functions, or with other arguments. */
  rewrite: 28,
  /** A column of GROUP BY, written out to be compared with the columns of the values. */
  groupColumn: 28,
  /** A zone's clock that is looked at. */
  clock: 16,
  /** A character of a property's name that is long: compared, and printed byte by byte. */
  key: 2,
  /** A value that is compared by what it says. */
  shape: 44,
  /** A call whose work is estimated. */
  estimate: 3,
  /** A name of a value that is printed once and used several times: its list, its argument. */
  name: 40,
  /** A part of the SQL that is printed. */
  print: 7,
} as const;

/** Units left to spend. One budget serves all that is compiled together: sub-queries, CTEs, and all attempts with sample values. */
export class Budget {
  #left: number;

  constructor(units: number = compileUnits) {
    this.#left = units;
  }

  /** Units left; less than 0 when more were spent than there were. */
  get left(): number {
    return this.#left;
  }

  /** Throws `query_too_large` when that is more than what is left. */
  spend(units: number, span: Span): void {
    this.#left -= units;
    if (this.#left < 0)
      throw new SpanError(
        'query_too_large',
        'The query is too large to compile. Name the columns that you need instead of *, use fewer values in filters and lists, or split the query into several',
        span,
      );
  }
}

// Set while `within` runs, which never waits. A parameter would go through each of the several hundred places that make a node.
let open: Budget | undefined;

/** Runs `work`; what it spends is taken from this budget. */
export function within<Result>(budget: Budget, work: () => Result): Result {
  const outer = open;
  open = budget;
  try {
    return work();
  } finally {
    open = outer;
  }
}

/** The budget that this work is done within, else one of a statement of its own. */
export function presentBudget(): Budget {
  return open ?? new Budget();
}

/** Charges the budget of the statement that is being compiled, before the work is done. Throws `query_too_large`. */
export function spend(units: number, span: Span): void {
  open?.spend(units, span);
}
