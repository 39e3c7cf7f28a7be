import { asNumber, eventField } from '@millrace/query-language/insights/nodes.ts';
import type { NumberMath } from '@millrace/query-language/insights/number-math.ts';
import type { TrendsMath } from '@millrace/query-language/insights/trends/trends-plan.ts';
import { onQuery } from '../../definition/variables.ts';
import { readExpression } from '../definition/read-expression.ts';
import type { EventsNode } from '../definition/schema-parts.ts';

/** Math of a series; that of `active` depends on the period. */
export type ReadMath = Exclude<TrendsMath, { of: 'active' }> | { of: 'active'; days: number };

const numberMaths: Readonly<Record<string, NumberMath>> = {
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  median: { quantile: 0.5 },
  p75: { quantile: 0.75 },
  p90: { quantile: 0.9 },
  p95: { quantile: 0.95 },
  p99: { quantile: 0.99 },
};

/**
 * Number of an interval of a series (contract/insights 5.1). `once`: different actors count in the interval of their first event alone. Pure.
 * @throws {AppError} 400 on `query`: the field that the math needs is missing
 */
export function readMath(node: EventsNode, place: string, { once }: { once: boolean }): ReadMath {
  const { math = 'total', math_group_type_index: index } = node;
  switch (math) {
    case 'total':
      return { of: 'events' };
    case 'dau':
      return { of: 'actors', actor: index === undefined ? 'person' : { group: index }, once };
    case 'weekly_active':
      return { of: 'active', days: 7 };
    case 'monthly_active':
      return { of: 'active', days: 30 };
    case 'unique_session':
      return { of: 'actors', actor: 'session', once: false };
    case 'unique_group':
      return { of: 'actors', actor: { group: required(node, 'math_group_type_index', place) }, once };
    case 'first_time_for_user':
      return { of: 'firsts', matching: false };
    case 'first_matching_event_for_user':
      return { of: 'firsts', matching: true };
    case 'hogql':
      return {
        of: 'expression',
        expression: readExpression(required(node, 'math_hogql', place), `${place}.math_hogql`),
      };
    default:
      return readNumberMath(node, math, place);
  }
}

function readNumberMath(node: EventsNode, math: string, place: string): ReadMath {
  const perActor = numberMaths[math.replace(/_count_per_actor$/, '')];
  if (perActor === undefined) throw new Error(`the schema has an unknown math ${math}`);
  if (math.endsWith('_count_per_actor')) return { of: 'events by actor', math: perActor };
  const property = required(node, 'math_property', place);
  const type = node.math_property_type;
  const isDuration = property === '$session_duration';
  if (type === 'session_properties' && !isDuration)
    throw onQuery(`${place}.math_property: of session_properties only $session_duration can be calculated with.`);
  if (isDuration && (type === undefined || type === 'session_properties')) return { of: 'sessions', math: perActor };
  const owner = type === 'person_properties' ? ['person'] : [];
  return { of: 'numbers', math: perActor, number: asNumber(eventField(...owner, 'properties', property)) };
}

function required<Field extends 'math_property' | 'math_hogql' | 'math_group_type_index'>(
  node: EventsNode,
  field: Field,
  place: string,
): NonNullable<EventsNode[Field]> {
  const value = node[field];
  if (value === undefined || value === '')
    throw onQuery(`${place}.${field} is missing: the math ${node.math ?? ''} needs it.`);
  return value;
}
