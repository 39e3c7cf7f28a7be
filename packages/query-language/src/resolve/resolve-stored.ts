import { call, fixed, type Resolved, type ResolvedQuery } from '../resolved.ts';
import { checkStorable } from '../stored/storable-type.ts';
import type { Statement } from '../tree/statements.ts';
import { plain } from '../types.ts';
import { resolutionOf } from './resolve-query.ts';
import { resolveStatement } from './resolve-select.ts';
import type { PlaceholderSource } from './names/scope.ts';

/**
 * Resolves a statement whose result is stored, under the names of its columns there. Properties that nothing has decided about stay texts:
 * who reads the table reads them by their types. Throws `SpanError`, `not_storable` for a column that no table can hold.
 */
export function resolveStored(tree: Statement, placeholder: PlaceholderSource): ResolvedQuery {
  const query = resolveStatement(tree, resolutionOf(placeholder), undefined, true);
  query.columns.forEach((column, at) => {
    checkStorable(column, query.kind === 'select' ? query.values[at] : undefined, tree);
  });
  return withTypedNulls(
    query,
    query.columns.map(({ type }) => type.kind === 'null'),
  );
}

// The engine stores no column without a type.
function withTypedNulls(query: ResolvedQuery, isNull: readonly boolean[]): ResolvedQuery {
  if (!isNull.includes(true)) return query;
  if (query.kind === 'set') return { ...query, members: query.members.map((member) => withTypedNulls(member, isNull)) };
  return { ...query, values: query.values.map((value, at) => (isNull[at] ? typed(value) : value)) };
}

function typed(value: Resolved): Resolved {
  return call('CAST', [value, fixed('Nullable(String)', value)], plain('null', true), value);
}
