import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';

/** A compiled query that is cached. It keeps no names in memory: those of a project are read anew each minute. */
export interface CompiledWith {
  compiled: CompiledQuery;
  /** Was it compiled with this very object, or without names? */
  isOf(names: LearnedNames | undefined): boolean;
}

export function compiledWith(compiled: CompiledQuery, names: LearnedNames | undefined): CompiledWith {
  const own = names && new WeakRef(names);
  return { compiled, isOf: (others) => (others === undefined ? own === undefined : own?.deref() === others) };
}
