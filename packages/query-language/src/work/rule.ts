import type { Resolved, ResolvedCall } from '../resolved.ts';
import type { Estimate } from './estimate.ts';
import type { Weights } from './weights.ts';

/** Cost of a call for one row, and the guarded call that is printed in its place. */
export interface Steep {
  nanoseconds: number;
  guarded?: Resolved;
}

/** Weighs a call by its arguments. Throws `wrong_arguments` for what is beyond a bound wherever it runs. */
export type Rule = (expr: ResolvedCall, args: readonly Estimate[], weights: Weights) => Steep;
