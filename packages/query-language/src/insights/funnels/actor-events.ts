import type { Expression } from '../../tree/expressions.ts';
import { intervalStart } from '../interval-start.ts';
import { alias, call, constant, eventField, field, moment, tuple } from '../nodes.ts';
import { expressionTemplate, template } from '../template.ts';
import type { EventCodes } from './event-codes.ts';
import { eventsLookedAt, hasOthers } from './event-codes.ts';
import type { FunnelPlan } from './funnel-plan.ts';
import { Layers } from './layers.ts';

// Numbers of the engine have 64 bits, one of them the sign. One bit is left, so that a sum of two times has room.
const numberBits = 62;

/**
 * Actors with their events in order of time, events of a moment in the order of their codes. Columns: `times`, microseconds since the beginning of the range and one, so
 * that 0 is never; `codes`, which `EventCodes` describes; with a breakdown `value`, `''` for none; for trends `buckets`, starts of the intervals of the times, seconds since 1970.
 * With values by step an actor has a row for each value, and also `steps`, the codes of its events whatever their values, and for an unordered funnel `starts`: may a way begin with the event?
 */
export function actorEvents(plan: FunnelPlan, codes: EventCodes): Layers {
  const { breakdown, result } = plan;
  const isPacked = bitsOf(rangeMicroseconds(plan)) + codes.bits <= numberBits;
  const rows = template(`SELECT {columns} FROM events WHERE {lookedAt}`, {
    columns: rowColumns(plan, codes, isPacked),
    lookedAt: eventsLookedAt(plan),
  });
  const bySteps = typeof breakdown?.attribution === 'object' ? breakdown.attribution.step : undefined;
  const columns: Expression[] = [];
  if (bySteps === undefined) columns.push(column('elements', 'arraySort(groupArray(insight_element))'));
  else columns.push(column('pairs', 'arraySort(groupArray(tuple(insight_element, insight_value)))'));
  if (result.kind === 'trends') columns.push(column('buckets', 'arraySort(groupArray(insight_bucket))'));
  if (breakdown !== undefined && bySteps === undefined) columns.push(column('value', valueTexts[touchOf(plan)]));
  const keys = [field('insight_actor'), ...(breakdown?.attribution === 'all_events' ? [field('insight_value')] : [])];
  const actors = template(
    hasOthers(plan)
      ? 'SELECT {columns} FROM {rows} WHERE insight_code != 0 GROUP BY {keys}'
      : 'SELECT {columns} FROM {rows} GROUP BY {keys}',
    { columns, rows, keys },
  );
  const layers = new Layers(actors);
  if (bySteps !== undefined) layers.let('elements', 'arrayMap(pair -> tupleElement(pair, 1), pairs)');
  unpack(layers, codes, isPacked);
  return bySteps === undefined ? layers : byValues(plan, layers, bySteps);
}

function rowColumns(
  { from, actor, breakdown, result }: FunnelPlan,
  codes: EventCodes,
  isPacked: boolean,
): Expression[] {
  const time = expressionTemplate('toUnixTimestamp64Micro({at}) - (toUnixTimestamp64Micro({begin}) - 1)', {
    at: eventField('timestamp'),
    begin: moment(from),
  });
  const code = field('insight_code');
  return [
    alias(actor.id, 'insight_actor'),
    alias(codes.code, 'insight_code'),
    alias(
      isPacked ? call('plus', call('multiply', time, constant(2 ** codes.bits)), code) : tuple([time, code]),
      'insight_element',
    ),
    ...(breakdown === undefined ? [] : [alias(call('ifNull', breakdown.value, constant('')), 'insight_value')]),
    ...(result.kind === 'trends' ? [alias(intervalStart(eventField('timestamp'), result.unit), 'insight_bucket')] : []),
  ];
}

/** Columns that a walk reads, of the elements that the events were sorted by. */
function unpack(layers: Layers, { bits }: EventCodes, isPacked: boolean): void {
  if (!isPacked)
    layers.add({
      times: expressionTemplate('arrayMap(e -> tupleElement(e, 1), elements)'),
      codes: expressionTemplate('arrayMap(e -> tupleElement(e, 2), elements)'),
    });
  else
    layers.add({
      times: expressionTemplate('arrayMap(e -> bitShiftRight(e, {bits}), elements)', { bits: constant(bits) }),
      // The code is the lower bits, and only bits of it are read.
      codes: field('elements'),
    });
}

/** A row for each value that the events of a step have. Other events of the step are not the step there: `codes` are without its bit. */
function byValues({ order, steps, result }: FunnelPlan, layers: Layers, bit: number): Layers {
  const kept = ['times', 'steps', 'values', ...(result.kind === 'trends' ? ['buckets'] : [])];
  layers.add({
    values: expressionTemplate('arrayMap(pair -> tupleElement(pair, 2), pairs)'),
    steps: field('codes'),
  });
  // The first event of an unordered way decides, whichever step it is.
  const own = constant(order === 'unordered' ? 2 ** steps.length - 1 : 2 ** bit);
  const joined = template(
    `SELECT {kept}, value FROM {rows}
    ARRAY JOIN arrayDistinct(arrayFilter((v, s) -> bitAnd(s, {own}) != 0, values, steps)) AS value`,
    { kept: kept.map((name) => field(name)), rows: layers.select(kept), own },
  );
  const rows = new Layers(joined);
  if (order === 'unordered')
    rows.add({ codes: field('steps'), starts: expressionTemplate('arrayMap(v -> v = value, values)') });
  else
    rows.let('codes', 'arrayMap((s, v) -> if(v != value AND bitTest(s, {bit}), s - {own}, s), steps, values)', {
      bit: constant(bit),
      own,
    });
  return rows;
}

const column = (name: string, text: string): Expression => alias(expressionTemplate(text), name);

const touchOf = ({ breakdown }: FunnelPlan): keyof typeof valueTexts =>
  typeof breakdown?.attribution === 'string' ? breakdown.attribution : 'all_events';

/** Bits that a whole number needs. */
const bitsOf = (number: number): number => Math.ceil(Math.log2(number + 2));

const rangeMicroseconds = ({ from, to }: FunnelPlan): number =>
  (Date.parse(`${to.replace(' ', 'T')}Z`) - Date.parse(`${from.replace(' ', 'T')}Z`) + 1) * 1_000;

const valueTexts = {
  first_touch: `argMinIf(insight_value, tuple(insight_element, insight_value), insight_value != '')`,
  last_touch: `argMaxIf(insight_value, tuple(insight_element, insight_value), insight_value != '')`,
  all_events: 'insight_value',
} as const;
