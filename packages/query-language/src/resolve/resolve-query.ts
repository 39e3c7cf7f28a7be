import { unfinished } from '../operators/conversions.ts';
import type { ResolvedQuery } from '../resolved.ts';
import type { Statement } from '../tree/statements.ts';
import { resolveStatement } from './resolve-select.ts';
import { shownColumns } from './shown-columns.ts';
import { InlinedSelects } from './names/inlined-selects.ts';
import type { PlaceholderSource, Resolution } from './names/scope.ts';

/**
 * Resolves a whole statement. `placeholder` gives the values of placeholders, `stored` stored results by name. Spends the surrounding
 * budget. Throws `SpanError`.
 */
export function resolveTree(
  tree: Statement,
  placeholder: PlaceholderSource,
  stored?: Resolution['stored'],
): ResolvedQuery {
  const resolution = resolutionOf(placeholder, stored);
  const query = shownColumns(resolveStatement(tree, resolution, undefined), resolution);
  const open = query.columns.findIndex(({ type }) => type.kind === 'state' || type.item?.kind === 'state');
  if (open !== -1) throw unfinished(query.kind === 'select' ? (query.values[open] ?? tree) : tree);
  return query;
}

/** The state of one whole statement, before anything of it is resolved. */
export function resolutionOf(placeholder: PlaceholderSource, stored: Resolution['stored'] = new Map()): Resolution {
  let names = 0;
  const resolution: Resolution = {
    placeholder,
    stored,
    lists: new Map(),
    depth: 0,
    selects: new InlinedSelects(),
    resolveQuery: (statement, scope) => resolveStatement(statement, resolution, scope),
    freshName: (letter) => `__${letter}${names++}`,
  };
  return resolution;
}
