import { compiledWith, type CompiledWith } from './compiled-with.ts';
import type { PreparedHere } from './prepared-endpoint-query.ts';

/** Dashboards repeat the same run: the last printed SQL is cached with its values, unless both are longer than this. */
const cachedCharsMax = 16_384;

/** The same compiling, which repeats its last result for the same values, rows, time zone and names. */
export function keepingLast(compile: PreparedHere['compile']): PreparedHere['compile'] {
  let last: (CompiledWith & { key: string }) | undefined;
  return (values, rows, filterContext, names) => {
    const key = JSON.stringify([values, rows, filterContext.timeZone]);
    if (last?.key === key && last.isOf(names)) return last.compiled;
    const compiled = compile(values, rows, filterContext, names);
    last = key.length + compiled.sql.length <= cachedCharsMax ? { key, ...compiledWith(compiled, names) } : undefined;
    return compiled;
  };
}
