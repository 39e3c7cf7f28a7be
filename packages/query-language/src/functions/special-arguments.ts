import type { Resolved } from '../resolved.ts';
import type { Call } from '../tree/expressions.ts';
import { argumentCountError } from './scalar-calls.ts';

/** A function that is printed in a way of its own, from arguments that are resolved. */
export type Special = (args: readonly Resolved[], node: Call) => Resolved;

/** The arguments, when there are as many as there may be. Throws `wrong_arguments`. */
export function counted(args: readonly Resolved[], node: Call, least: number, most = Infinity): readonly Resolved[] {
  if (args.length < least || args.length > most) throw argumentCountError(node, least, most);
  return args;
}

/** The only argument. */
export function one(args: readonly Resolved[], node: Call): Resolved {
  return counted(args, node, 1, 1)[0] as Resolved;
}
