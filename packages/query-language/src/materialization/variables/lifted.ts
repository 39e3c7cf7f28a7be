import type { CompareOperation, CompareOperator, Expression } from '../../tree/expressions.ts';

/** A comparison of a variable in WHERE that the build leaves out and the read applies. */
export interface Lifted {
  readonly variable: string;
  /** The whole condition, one of those that AND joins. */
  readonly condition: Expression;
  /** The comparison in it. */
  readonly comparison: CompareOperation;
  /** The side that is of the row. */
  readonly subject: Expression;
  /** The side with the variable. */
  readonly value: Expression;
  /** As if the subject stood on the left. */
  readonly op: CompareOperator;
  readonly isOptional: boolean;
  /** Separator of a membership in a list of texts. */
  readonly separator?: string;
}

const ranges: ReadonlySet<CompareOperator> = new Set(['>=', '>', '<', '<=']);

/** Is it one of `>=`, `>`, `<`, `<=`? */
export function isRange({ op }: Pick<Lifted, 'op'>): boolean {
  return ranges.has(op);
}

/** Is the value the variable as a time, `toDateTime({variables.x})` or `toDate({variables.x})`? */
export function isTimeWrapped({ value }: Pick<Lifted, 'value'>): boolean {
  if (value.node !== 'Call' || !/^todate(?:time)?$/i.test(value.name)) return false;
  const [time, ...rest] = value.args;
  return time?.node === 'Placeholder' && rest.length === 0;
}
