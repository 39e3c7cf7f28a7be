import type { FunctionSignature } from './function-signature.ts';
import { SpanError } from '../query-error.ts';
import { call, type Resolved, type WindowFrame } from '../resolved.ts';
import type { WindowFunction } from '../tree/expressions.ts';

/** An aggregate over some rows that replaces a window function. */
interface Skipping {
  frame: WindowFrame;
  /** Its rows are sorted the other way round. */
  backwards: boolean;
}

// All before: a frame that begins at each row's next would be read again for every row, to its end where all is NULL.
const before: WindowFrame = {
  method: 'ROWS',
  from: { type: 'PRECEDING', rows: undefined },
  to: { type: 'PRECEDING', rows: 1 },
};

// The engine takes IGNORE NULLS after these and skips no NULL. Aggregates skip them: the last value of all rows before is it.
const skipping: Readonly<Record<string, Skipping>> = {
  lag: { frame: before, backwards: false },
  lead: { frame: before, backwards: true },
};

/** Replacement of `lag(x) IGNORE NULLS` and `lead(x) IGNORE NULLS`; undefined for everything else. */
export function skippingOf({ name, nulls }: WindowFunction): Skipping | undefined {
  const known = name.toLowerCase();
  return nulls === 'IGNORE' && Object.hasOwn(skipping, known) ? skipping[known] : undefined;
}

/** The call that replaces it. `value` is nullable. Throws `not_supported` for more than one step. */
export function skippingCall(value: Resolved, steps: Resolved | undefined, expr: WindowFunction): Resolved {
  if (steps && !(steps.kind === 'constant' && steps.value === 1))
    throw new SpanError(
      'not_supported',
      `With IGNORE NULLS ${expr.name}() moves by one row only: ${expr.name}(x, 1)`,
      steps,
    );
  return call('anyLast', [value], value.type, expr);
}

/** A function of windows under the name by which the engine keeps NULL. Throws `not_supported` for those that have no choice. */
export function respecting(own: FunctionSignature, expr: WindowFunction): FunctionSignature {
  const { name, nulls } = expr;
  const skips = own.clickhouse === 'first_value' || own.clickhouse === 'last_value';
  if (nulls === undefined || (nulls === 'IGNORE') === skips) return own;
  if (skips) return { ...own, clickhouse: `${own.clickhouse}_respect_nulls` };
  throw new SpanError(
    'not_supported',
    `${name}() does not support IGNORE NULLS; lag, lead, first_value, last_value and aggregates do`,
    expr,
  );
}
