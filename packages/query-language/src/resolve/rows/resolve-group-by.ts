import { SpanError } from '../../query-error.ts';
import { groupByAll, resolveGroup } from './resolve-rows.ts';
import { openValue, type OutputColumn, type Resolved, type ResolvedGrouping } from '../../resolved.ts';
import type { Scope } from '../names/scope.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { GroupingSet, SelectQuery } from '../../tree/statements.ts';
import { isComposite, nullable } from '../../types.ts';

interface Grouped {
  groupBy: Resolved[];
  grouping: ResolvedGrouping | undefined;
}

// CUBE has 2^n sets.
const cubeKeysMax = 8;
const setsMax = 64;
const keysMax = 64;

const modes = { rollup: 'ROLLUP', cube: 'CUBE', grouping_sets: 'GROUPING SETS' } as const;

/** Before anything is resolved: do the groups have several sizes? */
export function prepareGrouping({ group_by_mode: mode }: SelectQuery, scope: Scope): void {
  scope.groupsDiffer = mode !== undefined && mode !== 'all';
}

/**
 * Resolves what stands after the groups: with groups of several sizes every column can be NULL there. What stands before them
 * (ON, ARRAY JOIN, WHERE) reads the columns as they are, so that a filter on time still picks parts of the table.
 */
export function behindGroups<T>(scope: Scope, resolve: () => T): T {
  if (!scope.groupsDiffer) return resolve();
  const [items, scalars] = [[...scope.arrayItems], [...scope.scalars]];
  for (const source of scope.sources) source.opened = true;
  for (const [name, item] of items) scope.arrayItems.set(name, openValue(item));
  for (const [name, scalar] of scalars) scope.scalars.set(name, openValue(scalar));
  const resolved = resolve();
  for (const source of scope.sources) source.opened = false;
  for (const [name, item] of items) scope.arrayItems.set(name, item);
  for (const [name, scalar] of scalars) scope.scalars.set(name, scalar);
  return resolved;
}

/** Resolves GROUP BY. Columns become nullable when rows have groups of several sizes. */
export function resolveGroupBy(
  query: SelectQuery,
  columns: OutputColumn[],
  values: readonly Resolved[],
  scope: Scope,
): Grouped {
  const mode = query.group_by_mode;
  const resolve = (expr: Expression): Resolved => resolveGroup(expr, columns, values, scope);
  if (mode === 'all') return { groupBy: groupByAll(columns, values, query), grouping: undefined };
  const sets = (query.group_by ?? []).map((entry) =>
    entry.node === 'GroupingSet' ? entry.exprs.map(resolve) : [resolve(entry)],
  );
  if (mode === undefined) return { groupBy: sets.flat(), grouping: undefined };
  limitSets(query, sets);
  const named = new Map(columns.map(({ sqlName }, at) => [sqlName, values[at]]));
  const firm = sets
    .flat()
    .map((key) => behind(key, named))
    .filter((value) => value.kind !== 'constant' && !value.type.nullable && !isComposite(value.type));
  openColumns(columns, values);
  return { groupBy: sets.flat(), grouping: { sql: modes[mode], sets: mode === 'grouping_sets' ? sets : [], firm } };
}

function limitSets(query: SelectQuery, sets: readonly Resolved[][]): void {
  const keys: (Expression | GroupingSet)[] = query.group_by ?? [];
  const [most, what] =
    query.group_by_mode === 'cube'
      ? [cubeKeysMax, 'CUBE has']
      : query.group_by_mode === 'rollup'
        ? [keysMax, 'ROLLUP has']
        : [setsMax, 'GROUPING SETS has'];
  const beyond = keys[most];
  if (beyond) throw new SpanError('query_too_large', `${what} more than ${most} entries; group by fewer`, beyond);
  if (sets.flat().length > setsMax * keysMax)
    throw new SpanError('query_too_large', 'GROUPING SETS has too many keys; group by fewer', keys[0] ?? query);
}

// A key with the name of a column means that column.
function behind(key: Resolved, named: ReadonlyMap<string, Resolved | undefined>): Resolved {
  return (key.kind === 'name' ? named.get(key.name) : undefined) ?? key;
}

function openColumns(columns: OutputColumn[], values: readonly Resolved[]): void {
  columns.forEach((column, index) => {
    if (values[index]?.aggregate !== true) columns[index] = { ...column, type: nullable(column.type) };
  });
}
