import { resolveStatement } from './resolve-select.ts';
import type { ResolvedQuery } from './resolved.ts';
import type { PlaceholderSource, Resolution } from './scope.ts';
import type { Statement } from './tree.ts';

/** Resolves a whole statement. `placeholder` gives the values. Throws `QueryFault`. */
export function resolveText(tree: Statement, text: string, placeholder: PlaceholderSource): ResolvedQuery {
  let names = 0;
  const resolution: Resolution = {
    text,
    placeholder,
    resolveQuery: (statement, scope) => resolveStatement(statement, resolution, scope),
    freshName: (letter) => `__${letter}${names++}`,
  };
  return resolveStatement(tree, resolution, undefined);
}
