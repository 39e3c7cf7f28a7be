import { asStored, call, constant, eventField } from '@millrace/query-language/insights/nodes.ts';
import type { Expression } from '@millrace/query-language/tree/expressions.ts';
import { onQuery } from '../../definition/variables.ts';
import { breakdownTypes, type BreakdownFilter, type BreakdownItem } from './breakdown-schema.ts';
import { readExpression } from './read-expression.ts';

/** Breakdown of a definition (contract/insights 5.5). All lists have a member for each of its properties. */
export interface Breakdown {
  /** Values over rows of events as texts; NULL: the property is missing, null or `''`. */
  expressions: readonly Expression[];
  /** Bins of equal width in which the numbers among the values are; undefined: the values themselves. */
  bins: readonly (number | undefined)[];
  /** Is a value a list in results? */
  isList: boolean;
}

/**
 * Breakdown of a kind of insight that may have `max` of them; undefined: none is given.
 * @throws {AppError} 400 on `query`, which names the field
 */
export function readBreakdown(
  { breakdownFilter = {} }: { breakdownFilter?: BreakdownFilter },
  { max }: { max: number },
): Breakdown | undefined {
  const place = 'query.breakdownFilter';
  const { breakdown, breakdowns = [] } = breakdownFilter;
  if (breakdown !== undefined && breakdowns.length > 0)
    throw onQuery(`${place}.breakdowns and ${place}.breakdown are both given. Write one of them.`);
  if (breakdowns.length > max)
    throw onQuery(`${place}.breakdowns holds ${breakdowns.length} properties. At most ${max} can stand there.`);
  if (breakdown === undefined && breakdowns.length === 0) return undefined;
  const items =
    breakdown === undefined
      ? breakdowns.map((item, index) => readItem(item, `${place}.breakdowns.${index}`, 'group_type_index'))
      : [readItem(singleItem(breakdown, breakdownFilter), place, 'breakdown_group_type_index')];
  return {
    expressions: items.map(({ expression }) => expression),
    bins: items.map(({ bins }) => bins),
    isList: breakdown === undefined,
  };
}

const singleItem = (property: string, filter: BreakdownFilter): BreakdownItem => ({
  property,
  type: filter.breakdown_type,
  group_type_index: filter.breakdown_group_type_index,
  normalize_url: filter.breakdown_normalize_url,
  histogram_bin_count: filter.breakdown_histogram_bin_count,
});

function readItem(
  item: BreakdownItem,
  place: string,
  indexField: string,
): { expression: Expression; bins: number | undefined } {
  const { normalize_url: isUrl = false, histogram_bin_count: bins } = item;
  const text = call('nullIf', subjectOf(item, place, indexField), constant(''));
  return { expression: isUrl ? normalizedUrl(text) : text, bins };
}

/** Value of an event's row as a text; null or empty: none. */
function subjectOf(item: BreakdownItem, place: string, indexField: string): Expression {
  const { property, type = 'event', group_type_index: index } = item;
  switch (breakdownTypes.find((known) => known === type)) {
    case 'event':
      return asStored(eventField('properties', property));
    case 'person':
      return asStored(eventField('person', 'properties', property));
    case 'group':
      if (index === undefined) throw onQuery(`${place}.${indexField} is missing: a breakdown of type group needs it.`);
      return asStored(eventField(`group_${index}`, 'properties', property));
    case 'session':
      return call('toString', eventField('session', property));
    case 'event_metadata':
      if (!eventColumns.has(property))
        throw onQuery(
          `${place}: ${JSON.stringify(property.slice(0, 100))} is not a column of events. The columns are ${[...eventColumns].join(', ')}.`,
        );
      return call('toString', eventField(property));
    case 'hogql':
      return call('toString', readExpression(property, place));
    case undefined:
      throw onQuery(
        `${place}: breakdowns of type ${JSON.stringify(type.slice(0, 100))} are not available here. The types are ${breakdownTypes.join(', ')}.`,
      );
  }
}

const eventColumns = new Set([
  'event',
  'distinct_id',
  'timestamp',
  'uuid',
  'person_id',
  'person_mode',
  '$session_id',
  '$window_id',
  ...[0, 1, 2, 3, 4].map((index) => `$group_${index}`),
]);

/** The address without any of `/ ? #` at its end; `/` when nothing is left. */
function normalizedUrl(text: Expression): Expression {
  const cut = call('trimRight', text, constant('/?#'));
  return call('if', call('equals', cut, constant('')), constant('/'), cut);
}
