import type { Estimate } from './estimate.ts';
import { guardedGrowth, longestMade } from './growth.ts';
import { grownBytesMax, patternBytesMax } from './limits.ts';
import { guardedMaker } from './makers.ts';
import { plainSize, sizes } from './sizes.ts';
import type { Resolved, ResolvedCall } from '../resolved.ts';

/** Estimates the result of a call. `guarded` is printed in its place where the result may be too large. */
export function sizedCall(
  expr: ResolvedCall,
  args: readonly Estimate[],
  body: Estimate | undefined,
): { result: Estimate; guarded: Resolved | undefined } {
  const size = (Object.hasOwn(sizes, expr.name) ? sizes[expr.name] : undefined) ?? plainSize;
  const sized = pattern(expr, args, size(args, expr, body));
  const longest = sized.made || sized.item || expr.type.kind !== 'text' ? undefined : longestMade(expr, args, size);
  const result = longest === undefined ? sized : { ...sized, longest: Math.min(longest, grownBytesMax) };
  const guarded =
    guardedMaker(expr, args, result) ?? (longest === undefined ? undefined : guardedGrowth(expr, args, longest));
  return { result, guarded };
}

// Texts that are put together of written ones are written out too: '^' || {variables.x}. Each is a copy, so none is longer than a pattern.
function pattern(expr: ResolvedCall, args: readonly Estimate[], result: Estimate): Estimate {
  const texts = args.map((arg) => arg.text);
  if (expr.name === 'concat' && result.bytes <= patternBytesMax && texts.every((text) => text !== undefined))
    return { ...result, text: texts.join('') };
  return (expr.name === 'ifNull' || expr.name === 'assumeNotNull' || expr.name === 'toString') && texts[0] !== undefined
    ? { ...result, text: texts[0] }
    : result;
}
