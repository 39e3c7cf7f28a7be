import { costOf, spend } from '../../budget.ts';
import { specialFunctions } from '../../functions/special-functions.ts';
import { SpanError, type Span } from '../../query-error.ts';
import type { Resolved } from '../../resolved.ts';
import type { Alias, Field } from '../../tree/expressions.ts';
import { hasColumn } from './source-columns.ts';
import { fieldOfSource, followPath } from './source-fields.ts';
import { noteHiddenColumn } from './hidden-columns.ts';
import { aliasNamed, type AliasEntry, type ResolvedAlias, type Scope } from './scope.ts';
import { unknownName } from './unknown-name.ts';

/** Resolves an alias that is used before it was resolved. */
export type AliasResolver = (alias: Alias) => Resolved;

/** Settles what a path of names means. Order: lambda arguments, table names, aliases, items of ARRAY JOIN, columns, scalar WITHs. */
export function resolveField(field: Field, scope: Scope, resolveAlias: AliasResolver): Resolved {
  const [first = '', ...rest] = field.chain;
  const own = field.from === undefined ? undefined : scope.sources[field.from];
  if (own) return fieldOfSource(own, field.chain, field);
  spend((scope.sources.length + scope.lambdas.length) * costOf.visit + field.chain.length * costOf.part, field);
  if (field.chain.includes('*'))
    throw new SpanError('syntax_error', '* is only allowed in the SELECT list and in count(*)', field);
  const argument = scope.findLambdaArgument(first);
  if (argument?.outside)
    throw new SpanError(
      'illegal_aggregate',
      `"${first}" is a parameter of a lambda: an aggregate function inside that lambda is computed over the whole group and cannot use it`,
      field,
    );
  if (argument?.value) return followPath(argument.value, rest, field);
  if (argument)
    return followPath(
      {
        kind: 'name',
        name: argument.name,
        type: argument.type,
        aggregate: false,
        local: true,
        start: field.start,
        end: field.end,
      },
      rest,
      field,
    );
  const source = scope.sources.find((candidate) => candidate.name === first);
  if (source && rest.length > 0) return fieldOfSource(source, rest, field);
  const unnested = unnestedItem(first, rest, scope);
  if (unnested) return followPath(unnested, rest.slice(1), field);
  const alias = resolvedAlias(first, scope, field);
  const usable = alias && (scope.aggregatesAllowed || !alias.aggregate);
  if (usable && scope.inWhere) noteHiddenColumn(first, scope, field);
  if (usable) return followPath(alias, rest, field);
  // An item of ARRAY JOIN hides the columns of its name, as the engine has it.
  const item = scope.arrayItems.get(first);
  if (item) return followPath(item, rest, field);
  const holders = scope.sources.filter((candidate) => hasColumn(candidate, first));
  const merged = scope.merged.get(first);
  if (merged && holders.every((holder) => merged.sources.has(holder)))
    return followPath(merged.read(field), rest, field);
  if (alias && holders.length === 0)
    throw new SpanError(
      'illegal_aggregate',
      `"${first}" is an aggregate and not allowed here; filter it with HAVING`,
      field,
    );
  if (holders.length > 1)
    throw new SpanError('ambiguous_column', `Column "${first}" is in several tables; write the table before it`, field);
  const [holder] = holders;
  if (holder) return fieldOfSource(holder, field.chain, field);
  return followPath(laterName(first, scope, field, resolveAlias), rest, field);
}

// `t.item` of `unnest(list) AS t(item)`.
function unnestedItem(table: string, [item = '']: readonly string[], scope: Scope): Resolved | undefined {
  return scope.unnested.get(table)?.has(item) ? scope.arrayItems.get(item) : undefined;
}

function resolvedAlias(name: string, scope: Scope, span: Span): Resolved | undefined {
  const entry = scope.aliases.get(name);
  return entry && isResolved(entry) ? aliasNamed(entry, scope, span) : undefined;
}

function isResolved(entry: AliasEntry): entry is AliasEntry & ResolvedAlias {
  return typeof entry.state !== 'string';
}

function laterName(name: string, scope: Scope, field: Field, resolveAlias: AliasResolver): Resolved {
  const entry = scope.aliases.get(name);
  if (entry?.state === 'resolving')
    throw new SpanError('unknown_column', `Alias "${name}" is defined by itself`, field);
  const later = entry?.node ?? scope.laterAliases?.().get(name);
  if (later) return laterAlias(later, scope, field, resolveAlias);
  const scalar = scope.findScalar(name, field);
  if (scalar?.aggregate && !scope.aggregatesAllowed)
    throw new SpanError(
      'illegal_aggregate',
      `"${name}" is an aggregate and not allowed here; filter it with HAVING`,
      field,
    );
  if (scalar) return { ...scalar, start: field.start, end: field.end };
  if (scope.sources.some((source) => source.name === name))
    throw new SpanError('unknown_column', `"${name}" is a table; name a column of it`, field);
  if (isOutside(name, scope.parent))
    throw new SpanError(
      'not_supported',
      `"${name}" belongs to the query outside; a sub-query that depends on it is not supported yet, use a JOIN`,
      field,
    );
  const moment = momentNamed(field);
  if (moment) return moment;
  if (name === 'variables')
    throw new SpanError(
      'unknown_column',
      `Unknown column "variables"; write a variable in braces: {${field.chain.join('.')}}, and {{${field.chain.join('.')}}} in a template`,
      field,
    );
  throw unknownName(name, field, scope);
}

/** Times that have no brackets, by their names in lower case. */
const moments: Readonly<Record<string, string>> = {
  current_date: 'current_date',
  current_timestamp: 'current_timestamp',
  localtimestamp: 'current_timestamp',
};

// `current_date`, where nothing else has that name.
function momentNamed({ chain, quoted, ...span }: Field): Resolved | undefined {
  const word = chain.length === 1 && !quoted ? String(chain[0]).toLowerCase() : '';
  const name = Object.hasOwn(moments, word) ? moments[word] : undefined;
  const { start, end } = span;
  return name === undefined ? undefined : specialFunctions[name]?.([], { node: 'Call', name, args: [], start, end });
}

/** Does something have this name here: a column, an alias, a table, a value of WITH, the argument of a lambda? */
export function isKnownName(name: string, scope: Scope, span: Span): boolean {
  spend((scope.sources.length + scope.lambdas.length) * costOf.visit, span);
  return (
    scope.findLambdaArgument(name) !== undefined ||
    scope.sources.some((source) => source.name === name || hasColumn(source, name)) ||
    scope.aliases.has(name) ||
    scope.arrayItems.has(name) ||
    scope.laterAliases?.().has(name) === true ||
    scope.findScalar(name, span) !== undefined ||
    isOutside(name, scope.parent)
  );
}

function laterAlias(alias: Alias, scope: Scope, field: Field, resolveAlias: AliasResolver): Resolved {
  const { aggregate } = resolveAlias(alias);
  if (aggregate && !scope.aggregatesAllowed)
    throw new SpanError(
      'illegal_aggregate',
      `"${alias.alias}" is an aggregate and not allowed here; filter it with HAVING`,
      field,
    );
  return resolvedAlias(alias.alias, scope, field) as Resolved;
}

function isOutside(name: string, scope: Scope | undefined): boolean {
  return (
    scope !== undefined &&
    (scope.arrayItems.has(name) ||
      scope.sources.some((source) => source.name === name || hasColumn(source, name)) ||
      isOutside(name, scope.parent))
  );
}
