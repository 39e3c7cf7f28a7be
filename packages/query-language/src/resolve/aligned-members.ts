import { costOf, spend } from '../budget.ts';
import { columnOfSource, selectFrom, sourceOf, type QuerySource } from '../operators/around-query.ts';
import { alignBranches } from '../operators/conversions.ts';
import type { Span } from '../query-error.ts';
import type { Resolved, ResolvedQuery, ResolvedSelect } from '../resolved.ts';
import type { Resolution } from './names/scope.ts';

/**
 * Brings each column of a set's queries to one type, as the branches of a CASE: of numbers of several kinds, or of text beside
 * another, the engine would make a column that it can neither add up nor sort. Throws `type_mismatch` for what never
 * fits, `query_too_large`.
 */
export function alignMembers(members: readonly ResolvedQuery[], resolution: Resolution, span: Span): ResolvedQuery[] {
  const parts = members.flatMap(partsOf);
  const [first] = parts;
  if (!first || parts.some(({ columns }) => columns.length !== first.columns.length)) return [...members];
  // Sets in brackets inside of one another are looked at anew with each that is around them.
  spend(parts.length * first.columns.length * costOf.column, span);
  const sources = new Map(
    parts.map((part): [ResolvedSelect, QuerySource] => [part, sourceOf(part, resolution.freshName('t'))]),
  );
  const given = parts.map((part) =>
    part.values.map((value, at) =>
      value.kind === 'constant' ? value : columnOfSource(sources.get(part) as QuerySource, at, value),
    ),
  );
  const wanted = first.columns.map((_, at) => alignBranches(given.map((values) => values[at] as Resolved)).exprs);
  const aligned = new Map<ResolvedSelect, ResolvedSelect>();
  parts.forEach((part, index) => {
    const values = wanted.map((column) => column[index] as Resolved);
    const changed = values.map((value, at) => value !== given[index]?.[at]);
    if (changed.includes(true)) aligned.set(part, withValues(part, values, changed, sources.get(part) as QuerySource));
  });
  return aligned.size === 0 ? [...members] : members.map((member) => replaced(member, aligned));
}

function partsOf(query: ResolvedQuery): ResolvedSelect[] {
  return query.kind === 'select' ? [query] : query.members.flatMap(partsOf);
}

// Converted outside of the query, whose own clauses may use the column as it is; constants have one meaning everywhere.
function withValues(
  part: ResolvedSelect,
  values: readonly Resolved[],
  changed: readonly boolean[],
  source: QuerySource,
): ResolvedSelect {
  const columns = part.columns.map((column, at) => ({ ...column, type: values[at]?.type ?? column.type }));
  if (part.values.every((value, at) => !changed[at] || value.kind === 'constant'))
    return {
      ...part,
      columns,
      values: part.values.map((value, at) => (changed[at] ? (values[at] as Resolved) : value)),
    };
  return selectFrom(source, columns, values);
}

function replaced(query: ResolvedQuery, aligned: ReadonlyMap<ResolvedSelect, ResolvedSelect>): ResolvedQuery {
  if (query.kind === 'select') return aligned.get(query) ?? query;
  const members = query.members.map((member) => replaced(member, aligned));
  const [first] = members;
  return {
    ...query,
    members,
    columns: query.columns.map((column, at) => ({ ...column, type: first?.columns[at]?.type ?? column.type })),
  };
}
