import { unfinished } from './conversions.ts';
import type { QueryFilters } from '../filters.ts';
import { QueryFault } from '../query-error.ts';
import { resolveStatement } from './resolve-select.ts';
import type { ResolvedQuery } from '../resolved.ts';
import type { PlaceholderSource, Resolution } from './scope.ts';
import type { Statement } from '../tree.ts';

// Each use of {filters} counts its values anew; a list counts when it is brought to the type of what it meets, a pattern with each name that it is tried on.
const unitsMax = 500_000;

/** Resolves a whole statement. `placeholder` gives the values, `filters` what stands for `{filters}` in place of a value. Throws `QueryFault`. */
export function resolveText(tree: Statement, text: string, placeholder: PlaceholderSource, filters?: QueryFilters): ResolvedQuery {
  let names = 0;
  let spent = 0;
  const resolution: Resolution = {
    text,
    placeholder,
    filters,
    lists: new Map(),
    depth: 0,
    spend: (units, span) => {
      spent += units;
      if (spent > unitsMax) throw new QueryFault('query_too_large', 'The query uses too many values of filters and lists, or patterns of COLUMNS over too many columns; give fewer, or use them in fewer places', span);
    },
    resolveQuery: (statement, scope) => resolveStatement(statement, resolution, scope),
    freshName: (letter) => `__${letter}${names++}`,
  };
  const query = resolveStatement(tree, resolution, undefined);
  const open = query.columns.findIndex(({ type }) => type.kind === 'state' || type.item?.kind === 'state');
  if (open !== -1) throw unfinished(query.kind === 'select' ? (query.values[open] ?? tree) : tree);
  return query;
}
