import type { ValueLocation, Resolved, ResolvedColumn, Source } from '../resolved.ts';
import type { LogicalField, LogicalTable } from '../schema/logical-table.ts';

const known = new WeakMap<LogicalTable, ReadonlyMap<string, string>>();

/** A column by the name that queries have for it: the names of stored columns are ours. */
export function columnName(table: LogicalTable, { location }: ResolvedColumn): string {
  const names = known.get(table) ?? namesByPlace(table);
  known.set(table, names);
  const name = names.get(keyOf(location)) ?? '…';
  return location.key === undefined ? name : `${name}.${location.key}`;
}

function namesByPlace({ fields }: LogicalTable): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (name: string, location: ValueLocation): void =>
    void (names.has(keyOf(location)) || names.set(keyOf(location), name));
  const addField = (name: string, field: Exclude<LogicalField, { kind: 'group' }>): void => {
    if (field.kind === 'column') return add(name, field);
    const { join, contents } = field;
    for (const column of [field.text, field.map])
      add(name, { column, ...(join && { join }), ...(contents && { contents }) });
  };
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'group') addField(name, field);
    else for (const [member, inner] of Object.entries(field.fields)) addField(`${name}.${member}`, inner);
  }
  return names;
}

// The fields that distinguish one location from another, except the key.
function keyOf({ column, sql, around, join, oneToMany }: ValueLocation): string {
  return [column, sql, around?.[0], join?.name, oneToMany?.name].join('\n');
}

const comparing: ReadonlySet<string> = new Set(['less', 'lessOrEquals', 'greater', 'greaterOrEquals', 'equals', 'in']);

/** Conditions of a WHERE that leave days of the events out: they compare `timestamp` itself with a value that depends on no row. */
export function boundsOfDays(source: Source, conditions: readonly Resolved[]): Resolved[] {
  const isTime = (expr: Resolved | undefined): boolean =>
    expr?.kind === 'column' && expr.source === source && expr.location.column === 'timestamp' && !expr.location.join;
  return conditions.filter((condition) => {
    if (condition.kind !== 'call' || !comparing.has(condition.name)) return false;
    const [left, right] = condition.args;
    return (isTime(left) && right?.local === false) || (isTime(right) && left?.local === false);
  });
}

/** Names by which each row of a source is joined to others: `person`, `group_0`, `session`; `person_id` is today's person. */
export function lookupNames({ lookups }: Source): string[] {
  return [...lookups.keys()].map((name) => (name === 'moved' ? 'person_id' : name));
}
