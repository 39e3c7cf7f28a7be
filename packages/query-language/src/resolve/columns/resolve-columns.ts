import { readByType } from '../../operators/learned-types.ts';
import { SpanError } from '../../query-error.ts';
import type { OutputColumn, Resolved } from '../../resolved.ts';
import { storedColumnName } from '../../stored/stored-table.ts';
import type { Expression, Field } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { impliedName } from './implied-name.ts';
import { resolveAlias } from '../names/resolve-alias.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import { expandColumns, expandStar, type Entry } from './resolve-star.ts';
import { checkAlias, printedNames, type AliasEntry, type Scope } from '../names/scope.ts';

/** Nobody reads more columns of one SELECT; each of them costs, here and in the engine. */
const columnsMax = 4_000;

/**
 * Resolves the SELECT list, stars included.
 * @throws {SpanError} query_too_large when they are more than 4,000 columns
 */
export function resolveColumns(query: SelectQuery, scope: Scope): { columns: OutputColumn[]; values: Resolved[] } {
  const entries: Entry[] = [];
  for (const expr of query.select) {
    entries.push(...entriesOf(expr, scope));
    if (entries.length > columnsMax)
      throw new SpanError('query_too_large', `A SELECT has at most ${columnsMax} columns`, query);
  }
  const aliased = new Set(entries.flatMap(({ expr }) => (expr?.node === 'Alias' ? [expr.alias] : [])));
  // Aliases keep their own names; a column that merely happens to be called the same gives way.
  const names = scope.isStored
    ? entries.map((_, at) => storedColumnName(at))
    : printedNames(entries.map(({ name, expr }) => (aliased.has(name) && expr?.node !== 'Alias' ? '' : name)));
  registerAliases(entries, names, scope);
  // Rows are compared by the values that are shown, and WITH FILL makes more of them.
  const isCompared = query.distinct === true || query.order_by?.some((item) => item.with_fill) === true;
  const read = entries.map(
    ({ expr, value }) =>
      value ??
      (expr?.node === 'Alias'
        ? resolveAlias(expr, scope, (part) => resolveExpression(part, scope))
        : resolveExpression(expr as Expression, scope)),
  );
  const values = isCompared ? read.map(readByType) : read;
  const lambda = values.find((value) => value.type.kind === 'lambda');
  if (lambda) throw new SpanError('wrong_arguments', 'A lambda is not a value', lambda);
  const columns = entries.map(({ name }, index) => ({
    name,
    sqlName: names[index] ?? '',
    type: (values[index] as Resolved).type,
  }));
  return { columns, values };
}

function entriesOf(expr: Expression, scope: Scope): Entry[] {
  if (isStar(expr)) return expandStar(expr.chain, expr, scope);
  if (expr.node === 'ColumnsExpr') return expandColumns(expr, scope, (part) => entriesOf(part, scope));
  return [{ name: columnName(expr), expr }];
}

function columnName(expr: Expression): string {
  return expr.node === 'Alias' ? checkAlias(expr.alias, expr) : impliedName(expr);
}

// A REPLACE expression reads the stored columns, its own and the others that are replaced; after it the names are the
// new values.
function registerAliases(entries: readonly Entry[], names: readonly string[], scope: Scope): void {
  entries.forEach(({ expr, replaces }, index) =>
    replaces ? undefined : registerAlias(expr, names[index] ?? '', 'waiting', scope),
  );
  const replacements = entries.map(({ expr, replaces }) =>
    replaces && expr?.node === 'Alias' ? resolveExpression(expr.expr, scope) : undefined,
  );
  replacements.forEach((value, index) =>
    value ? registerAlias(entries[index]?.expr, names[index] ?? '', value, scope) : undefined,
  );
}

function registerAlias(expr: Expression | undefined, sqlName: string, state: AliasEntry['state'], scope: Scope): void {
  if (expr?.node !== 'Alias') return;
  if (scope.aliases.has(expr.alias))
    throw new SpanError('invalid_name', `Two columns have the alias "${expr.alias}"`, expr);
  scope.aliases.set(expr.alias, { node: expr, state, sqlName });
}

function isStar(expr: Expression): expr is Field {
  return expr.node === 'Field' && expr.chain[expr.chain.length - 1] === '*';
}
