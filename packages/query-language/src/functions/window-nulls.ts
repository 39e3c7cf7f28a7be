import type { FunctionSignature } from './function-signature.ts';
import { QueryFault } from '../query-error.ts';
import { call, type Resolved, type WindowFrame } from '../resolved.ts';
import type { WindowFunction } from '../tree.ts';

/** An aggregate over some rows that stands for a function of windows. */
interface Skipping {
  name: 'any' | 'anyLast';
  frame: WindowFrame;
}

// The engine takes IGNORE NULLS behind these and skips no NULL. Aggregates skip them: the last value of all rows before is it.
const skipping: Readonly<Record<string, Skipping>> = {
  lag: { name: 'anyLast', frame: { method: 'ROWS', from: { type: 'PRECEDING', rows: undefined }, to: { type: 'PRECEDING', rows: 1 } } },
  lead: { name: 'any', frame: { method: 'ROWS', from: { type: 'FOLLOWING', rows: 1 }, to: { type: 'FOLLOWING', rows: undefined } } },
};

/** What stands for `lag(x) IGNORE NULLS` and `lead(x) IGNORE NULLS`; undefined for everything else. */
export function skippingOf({ name, nulls }: WindowFunction): Skipping | undefined {
  const known = name.toLowerCase();
  return nulls === 'IGNORE' && Object.hasOwn(skipping, known) ? skipping[known] : undefined;
}

/** The call that stands for it. `value` is nullable. Throws `not_supported` for more than one step. */
export function skippingCall({ name }: Skipping, value: Resolved, steps: Resolved | undefined, expr: WindowFunction): Resolved {
  if (steps && !(steps.kind === 'constant' && steps.value === 1)) throw new QueryFault('not_supported', `With IGNORE NULLS ${expr.name} goes one step: ${expr.name}(x, 1)`, steps);
  return call(name, [value], value.type, expr);
}

/** A function of windows under the name by which the engine keeps NULL. Throws `not_supported` for those that have no choice. */
export function respecting(own: FunctionSignature, expr: WindowFunction): FunctionSignature {
  const { name, nulls } = expr;
  const skips = own.clickhouse === 'first_value' || own.clickhouse === 'last_value';
  if (nulls === undefined || (nulls === 'IGNORE') === skips) return own;
  if (skips) return { ...own, clickhouse: `${own.clickhouse}_respect_nulls` };
  throw new QueryFault('not_supported', `${name}() knows no IGNORE NULLS; lag, lead, first_value, last_value and aggregates do`, expr);
}
