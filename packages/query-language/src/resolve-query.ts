import type { QueryFilters } from './filters.ts';
import { resolveStatement } from './resolve-select.ts';
import type { ResolvedQuery } from './resolved.ts';
import type { PlaceholderSource, Resolution } from './scope.ts';
import type { Statement } from './tree.ts';

/** Resolves a whole statement. `placeholder` gives the values, `filters` what stands for `{filters}` in place of a value. Throws `QueryFault`. */
export function resolveText(tree: Statement, text: string, placeholder: PlaceholderSource, filters?: QueryFilters): ResolvedQuery {
  let names = 0;
  const resolution: Resolution = {
    text,
    placeholder,
    filters,
    resolveQuery: (statement, scope) => resolveStatement(statement, resolution, scope),
    freshName: (letter) => `__${letter}${names++}`,
  };
  return resolveStatement(tree, resolution, undefined);
}
