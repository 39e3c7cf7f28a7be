import { unfinished } from '../operators/conversions.ts';
import type { QueryFilters } from '../filters.ts';
import { resolveStatement } from './resolve-select.ts';
import type { ResolvedQuery } from '../resolved.ts';
import type { PlaceholderSource, Resolution } from './scope.ts';
import type { Statement } from '../tree.ts';

/** Resolves a whole statement. `placeholder` gives the values, `filters` what stands for `{filters}` in place of a value. Spends of the budget around it. Throws `QueryFault`. */
export function resolveText(tree: Statement, text: string, placeholder: PlaceholderSource, filters?: QueryFilters): ResolvedQuery {
  let names = 0;
  const resolution: Resolution = {
    text,
    placeholder,
    filters,
    lists: new Map(),
    depth: 0,
    resolveQuery: (statement, scope) => resolveStatement(statement, resolution, scope),
    freshName: (letter) => `__${letter}${names++}`,
  };
  const query = resolveStatement(tree, resolution, undefined);
  const open = query.columns.findIndex(({ type }) => type.kind === 'state' || type.item?.kind === 'state');
  if (open !== -1) throw unfinished(query.kind === 'select' ? (query.values[open] ?? tree) : tree);
  return query;
}
