import { nearestName } from '../../nearest-name.ts';
import { variableInstead } from '../../parse/foreign/foreign-variables.ts';
import { SpanError } from '../../query-error.ts';
import type { Source } from '../../resolved.ts';
import type { LogicalField } from '../../schema/logical-table.ts';
import { projectSchema } from '../../schema/project-schema.ts';
import type { Field } from '../../tree/expressions.ts';
import { nameElsewhere, written } from './names-elsewhere.ts';
import { columnNames, hasColumn } from './source-columns.ts';
import type { Scope } from './scope.ts';

const bareCalls: ReadonlySet<string> = new Set(['now', 'today', 'yesterday', 'curdate', 'now64']);

/** The error for a name that nothing has here: `unknown_column`, with what was probably meant. */
export function unknownName(name: string, field: Field, scope: Scope): SpanError {
  const unknown = (more: string, suggestion?: string): SpanError =>
    new SpanError('unknown_column', `Unknown column "${name}"${more}`, field, suggestion);
  if (/^\$\d{1,9}$/.test(name)) return variableInstead(name, '', field);
  if (bareCalls.has(name.toLowerCase()) && !field.quoted && field.chain.length === 1) return unknown('', `${name}()`);
  // One table may be joined many times.
  const known = new Set([
    ...knownNames(scope),
    ...(field.chain.length > 1 ? scope.sources.flatMap((source) => source.name ?? []) : []),
  ]);
  const near = nearestName(name, known);
  const elsewhereNamed = isLearned(name, scope) || isAliasOf(scope, near) ? undefined : nameElsewhere(field, scope);
  const suggestion = elsewhereNamed ?? near;
  if (suggestion !== undefined) return unknown('', suggestion);
  if (name.toLowerCase() === 'team_id')
    return unknown("; a query reads its own project's rows, without a condition that says so");
  if (scope.listed.has(name))
    return new SpanError(
      'not_supported',
      `"${name}" is an alias of the SELECT list and not known in ON; write its expression there`,
      field,
    );
  const elsewhere = tableMeant(field, scope);
  if (elsewhere) return unknown(`; no table is named "${name}"`, elsewhere.suggestion);
  const meant = inGroups(field, scope) ?? inProperties(field, scope);
  if (meant !== undefined) return unknown('', meant);
  const [source, ...others] = scope.sources;
  const isBare = field.chain.length === 1 && !field.quoted;
  const lists = isBare && others.length === 0 && source?.from.kind === 'table' && !hasColumn(source, 'properties');
  return unknown(lists ? `; ${source.name} has ${columnNames(source).join(', ')}` : '');
}

const isAliasOf = ({ aliases, laterAliases }: Scope, name: string | undefined): boolean =>
  name !== undefined && (aliases.has(name) || laterAliases?.().has(name) === true);

const renamed: Readonly<Record<string, string>> = { issue_id: '$exception_issue_id' };

/** Letters of an alias that is no name of anything else: `e.properties`. */
const aliasLength = 2;

// `e.event` where no table is called e.
function tableMeant({ chain, quoted }: Field, scope: Scope): { suggestion: string | undefined } | undefined {
  const [first = '', column = ''] = chain;
  if (quoted || chain.length < 2 || isLearned(first, scope)) return undefined;
  if (column === 'properties' && first.length > aliasLength) return undefined;
  const holders = scope.sources.filter((source) => hasColumn(source, column));
  const [holder] = holders;
  if (!holder) return undefined;
  const rest = written(chain.slice(1));
  return {
    suggestion: holders.length > 1 ? undefined : `${holder.name === undefined ? '' : `${holder.name}.`}${rest}`,
  };
}

function isLearned(name: string, { sources }: Scope): boolean {
  return sources.some(({ from }) => {
    const properties = from.kind === 'table' ? from.table.fields['properties'] : undefined;
    const owner = properties?.kind === 'properties' ? properties.owner : undefined;
    return owner !== undefined && projectSchema()?.property(owner, name) !== undefined;
  });
}

// `distinct_id` of persons is in their `pdi`. Where several have the name, none of them is meant more than a property.
function inGroups({ chain, quoted }: Field, scope: Scope): string | undefined {
  const [first = ''] = chain;
  if (quoted || isLearned(first, scope)) return undefined;
  const { sources } = scope;
  const found = sources.flatMap((source) =>
    groupsWith(source, first).map((group) => {
      const table = sources.length > 1 && source.name !== undefined ? `${source.name}.` : '';
      return `${table}${group}.${written(chain)}`;
    }),
  );
  return found.length === 1 ? found[0] : undefined;
}

function groupsWith({ from }: Source, name: string): string[] {
  if (from.kind !== 'table') return [];
  const has = (field: LogicalField): boolean => field.kind === 'group' && Object.hasOwn(field.fields, name);
  return Object.entries(from.table.fields).flatMap(([group, field]) => (has(field) ? group : []));
}

// A property is often written without the word, and a group by the name of its type.
function inProperties({ chain, quoted }: Field, { sources }: Scope): string | undefined {
  if (quoted) return undefined;
  const holders = sources.filter(({ from }) => from.kind === 'table' && Object.hasOwn(from.table.fields, 'properties'));
  const [holder] = holders;
  if (!holder || holders.length > 1) return undefined;
  const path = written(chain);
  const table = sources.length > 1 && holder.name !== undefined ? `${holder.name}.` : '';
  if (chain[1] === 'properties')
    return hasColumn(holder, 'group_0')
      ? `${table}${chain[0] === 'poe' ? 'person' : 'group_0'}.${path.slice(path.indexOf('.') + 1)}`
      : undefined;
  return `${table}properties.${(Object.hasOwn(renamed, path) && renamed[path]) || path}`;
}

function knownNames(scope: Scope): string[] {
  return [
    ...scope.aliases.keys(),
    ...(scope.laterAliases?.().keys() ?? []),
    ...scope.arrayItems.keys(),
    ...scope.scalars.keys(),
    ...scope.sources.flatMap(columnNames),
  ];
}
