import { QueryFault, type Span } from './query-error.ts';
import { resolveAlias, resolveExpression } from './resolve-expression.ts';
import { columnNames, fieldOfSource, tableColumn } from './resolve-field.ts';
import type { OutputColumn, Resolved, Source } from './resolved.ts';
import { checkAlias, impliedName, printedNames, unknownColumn, type Scope } from './scope.ts';
import type { ColumnsExpr, Expression, Field, SelectQuery } from './tree.ts';

/** Resolves the SELECT list, stars included. */
export function resolveColumns(query: SelectQuery, scope: Scope): { columns: OutputColumn[]; values: Resolved[] } {
  const entries = query.select.flatMap((expr) => (isStar(expr) ? expandStar(expr.chain, expr, scope) : expr.node === 'ColumnsExpr' ? expandRest(expr, scope) : [{ name: columnName(expr, scope), expr }]));
  const aliased = new Set(query.select.filter((expr) => expr.node === 'Alias').map((expr) => (expr.node === 'Alias' ? expr.alias : '')));
  // Aliases keep their own names; a column that merely happens to be called the same gives way.
  const names = printedNames(entries.map(({ name, expr }) => (aliased.has(name) && expr?.node !== 'Alias' ? '' : name)));
  entries.forEach(({ expr }, index) => registerAlias(expr, names[index] ?? '', scope));
  const values = entries.map(({ expr, value }) => value ?? (expr?.node === 'Alias' ? resolveAlias(expr, scope) : resolveExpression(expr as Expression, scope)));
  const lambda = values.find((value) => value.type.kind === 'lambda');
  if (lambda) throw new QueryFault('wrong_arguments', 'A lambda is no value', lambda);
  const columns = entries.map(({ name }, index) => ({ name, sqlName: names[index] ?? '', type: (values[index] as Resolved).type }));
  return { columns, values };
}

interface Entry {
  name: string;
  expr?: Expression;
  value?: Resolved;
}

function columnName(expr: Expression, scope: Scope): string {
  return expr.node === 'Alias' ? checkAlias(expr.alias, expr) : impliedName(expr, scope.resolution.text);
}

function registerAlias(expr: Expression | undefined, sqlName: string, scope: Scope): void {
  if (expr?.node !== 'Alias') return;
  if (scope.aliases.has(expr.alias)) throw new QueryFault('invalid_name', `Two columns have the alias "${expr.alias}"`, expr);
  scope.aliases.set(expr.alias, { node: expr, state: 'waiting', sqlName });
}

function isStar(expr: Expression): expr is Field {
  return expr.node === 'Field' && expr.chain[expr.chain.length - 1] === '*';
}

function expandStar(chain: readonly string[], span: Span, scope: Scope): Entry[] {
  const [table] = chain;
  const sources = chain.length === 1 ? scope.sources : scope.sources.filter((source) => source.name === table);
  if (chain.length > 2 || sources.length === 0) throw new QueryFault('unknown_table', chain.length === 1 ? 'There is no table for *' : `Unknown table "${chain.slice(0, -1).join('.')}"`, span);
  return sources.flatMap((source) => (chain.length === 1 ? withMerged(source, starColumns(source, span), span, scope) : starColumns(source, span)));
}

// A column of JOIN … USING shows once, in the place of the first.
function withMerged(source: Source, entries: Entry[], span: Span, scope: Scope): Entry[] {
  if (scope.merged.size === 0) return entries;
  return entries.flatMap((entry) => {
    const merged = scope.merged.get(entry.name);
    if (!merged?.sources.has(source)) return [entry];
    const [first] = merged.sources;
    return first === source ? [{ name: entry.name, value: merged.read(span) }] : [];
  });
}

function expandRest(expr: ColumnsExpr, scope: Scope): Entry[] {
  const all = expandStar([...(expr.table ?? []), '*'], expr, scope);
  const known = new Set(all.map((entry) => entry.name));
  const unknown = expr.exclude.find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownColumn(unknown, known, expr);
  const excluded = new Set(expr.exclude);
  const rest = all.filter((entry) => !excluded.has(entry.name));
  if (rest.length === 0) throw new QueryFault('wrong_arguments', 'No column is left of *', expr);
  return rest;
}

function starColumns(source: Source, span: Span): Entry[] {
  const { from } = source;
  if (from.kind !== 'table') return columnNames(source).map((name) => ({ name, value: fieldOfSource(source, [name], span) }));
  return Object.entries(from.table.fields).flatMap(([name, field]) => (field.kind === 'group' || (field.kind === 'column' && field.asked) ? [] : [{ name, value: tableColumn(source, field, span) }]));
}
