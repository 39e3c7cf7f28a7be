import { spend } from '../budget.ts';
import type { FilterCondition, FilterGroup, FilterSubject, FilterTest, QueryFilters } from '../filters.ts';
import { QueryFault, type Span } from '../query-error.ts';
import { call, constant, type Resolved, type Source } from '../resolved.ts';
import { plain } from '../types.ts';
import { bindValue } from '../values.ts';
import { compare, inList, isNotNull, isNull } from '../operators/comparisons.ts';
import { toNumber, toText, toTime } from '../operators/conversions.ts';
import { fieldOfSource } from './resolve-field.ts';
import type { Scope } from './scope.ts';

/**
 * `{filters}` in the SELECT whose names `scope` knows: a condition on the rows of its table, true when nothing is given.
 * Every value becomes a constant, which the printer binds, and every key a name that is resolved like one of the text.
 * Throws `QueryFault`.
 */
export function resolveFilters({ from, to, conditions }: QueryFilters, scope: Scope, span: Span): Resolved {
  if (from === undefined && to === undefined && conditions.members.length === 0) return constant(true, plain('boolean'), span);
  spend(sizeOf(conditions) * unitsPerValue, span);
  const source = sourceOf(scope, span);
  const time = from === undefined && to === undefined ? [] : [inTime(fieldOfSource(source, [timeColumn(source)], span), from, to, span)];
  return joined(true, [...time, ...(conditions.members.length > 0 ? [resolveGroup(conditions, source, span)] : [])], span);
}

// Each value becomes calls of its own: 20,000 of them are what one query may have, in all its places.
const unitsPerValue = 25;

function sizeOf(member: FilterCondition | FilterGroup): number {
  if ('members' in member) return member.members.reduce((sum, inner) => sum + sizeOf(inner), 1);
  return 'values' in member.test ? Math.max(1, member.test.values.length) : 1;
}

// The events among the tables, else the first of them.
function sourceOf(scope: Scope, span: Span): Source {
  const source = scope.sources.find((candidate) => tableOf(candidate) === 'events') ?? scope.sources[0];
  if (source === undefined) throw new QueryFault('wrong_arguments', '{filters} needs a table: write it into the WHERE of a SELECT that has a FROM', span);
  return source;
}

function tableOf({ from }: Source): string | undefined {
  return from.kind === 'table' ? from.table.name : undefined;
}

const timeColumns: Readonly<Record<string, string>> = { sessions: '$start_timestamp', persons: 'created_at', groups: 'created_at', query_log: 'query_start_time' };

function timeColumn(source: Source): string {
  return timeColumns[tableOf(source) ?? ''] ?? 'timestamp';
}

function resolveGroup({ all, members }: FilterGroup, source: Source, span: Span): Resolved {
  if (members.length === 0) return constant(true, plain('boolean'), span);
  return joined(all, members.map((member) => ('members' in member ? resolveGroup(member, source, span) : resolveCondition(member, source, span))), span);
}

function joined(all: boolean, conditions: readonly Resolved[], span: Span): Resolved {
  const [first] = conditions;
  return conditions.length === 1 && first ? first : call(all ? 'and' : 'or', conditions, plain('boolean'), span);
}

function resolveCondition({ subject, key, test }: FilterCondition, source: Source, span: Span): Resolved {
  return resolveTest(test, fieldOfSource(source, chainOf(subject, key, source, span), span), span);
}

function chainOf(subject: FilterSubject, key: string, source: Source, span: Span): string[] {
  const table = tableOf(source);
  const own = { persons: 'person', groups: 'group', sessions: 'session' }[table ?? ''];
  if (subject.of === 'column') return [key];
  if (own !== undefined) {
    if (subject.of !== own) throw new QueryFault('wrong_arguments', `A filter of type ${subject.of} does not fit {filters} of the table ${table}`, span);
    return own === 'session' ? [key] : ['properties', key];
  }
  if (subject.of === 'event') return ['properties', key];
  if (subject.of === 'session') return ['session', key];
  return [subject.of === 'group' ? `group_${subject.index}` : 'person', 'properties', key];
}

function resolveTest(test: FilterTest, field: Resolved, span: Span): Resolved {
  const bound = (value: string | number): Resolved => {
    const { value: plainValue, type } = bindValue(value, 'filters', span);
    return constant(plainValue, type, span);
  };
  switch (test.operator) {
    case 'set':
      return isNotNull(field, span);
    case 'not set':
      return isNull(field, span);
    case 'in':
    case 'not in':
      return inList(test.operator === 'not in', field, test.values.map(bound), 'value', span);
    case 'contains':
    case 'not contains':
    case 'matches':
    case 'not matches':
      return inTexts(test.operator, field, test.values.map(bound), span);
    case 'between':
    case 'not between': {
      const inside = joined(true, [ordered('>=', field, bound(test.from), span), ordered('<=', field, bound(test.to), span)], span);
      return test.operator === 'between' ? inside : call('not', [inside], plain('boolean'), span);
    }
    case 'in time':
      return inTime(field, test.from, test.to, span);
    default:
      return ordered(test.operator, field, bound(test.value), span);
  }
}

function ordered(operator: '>' | '>=' | '<' | '<=', field: Resolved, value: Resolved, span: Span): Resolved {
  return compare(operator, value.type.kind === 'text' ? field : toNumber(field), value, 'value', span);
}

// A property that is not set contains nothing and matches nothing.
function inTexts(operator: 'contains' | 'not contains' | 'matches' | 'not matches', field: Resolved, values: readonly Resolved[], span: Span): Resolved {
  const text = toText(field);
  const found = values.map((value) => {
    const one = operator.endsWith('matches') ? call('match', [text, value], plain('boolean', true), span) : call('greater', [call('positionCaseInsensitiveUTF8', [text, value], plain('integer', true), span), constant(0, plain('integer'), span)], plain('boolean', true), span);
    return call('ifNull', [one, constant(false, plain('boolean'), span)], plain('boolean'), span);
  });
  const any = joined(false, found, span);
  return operator.startsWith('not') ? call('not', [any], plain('boolean'), span) : any;
}

function inTime(field: Resolved, from: string | undefined, to: string | undefined, span: Span): Resolved {
  const time = toTime(field);
  const bounds = [from === undefined ? [] : [compare('>=', time, timeOf(from, span), 'value', span)], to === undefined ? [] : [compare('<=', time, timeOf(to, span), 'value', span)]].flat();
  return joined(true, bounds, span);
}

function timeOf(text: string, span: Span): Resolved {
  return toTime(constant(text, plain('text'), span));
}
