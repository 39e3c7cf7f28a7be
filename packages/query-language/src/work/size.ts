import { small, textOf, type Estimate } from './estimate.ts';
import { madeBytesMax } from './limits.ts';
import type { ResolvedCall } from '../resolved.ts';

/** Estimates the result of a call from its arguments. `body` is the result of the lambda among them. */
export type Size = (args: readonly Estimate[], expr: ResolvedCall, body: Estimate | undefined) => Estimate;

/** A value of a few bytes, also for an argument that is not there. */
export const word = small(true);

/** The argument at a place. */
export const at = (args: readonly Estimate[], index: number): Estimate => args[index] ?? word;

/** An item of a list, or a part of a text. */
export const itemOf = (list: Estimate): Estimate =>
  list.item ?? textOf(list.made ? list.bytes : Math.min(list.bytes, 100), list.made);

/** Are all of them values that the query makes itself? */
export const allMade = (args: readonly Estimate[]): boolean => args.every((arg) => arg.made);

/** How often something is repeated. A count that depends on the row is bounded by a guard. */
export const count = ({ most }: Estimate, each = 1): number =>
  Math.max(0, Math.min(most ?? Infinity, most === undefined ? madeBytesMax / Math.max(1, each) : Infinity));
