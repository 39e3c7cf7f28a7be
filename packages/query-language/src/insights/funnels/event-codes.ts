import type { Expression } from '../../tree/expressions.ts';
import type { Statement } from '../../tree/statements.ts';
import { eventsWhere } from '../event-rows.ts';
import { all, call, compare, constant, eventField, tuple } from '../nodes.ts';
import { template } from '../template.ts';
import type { FunnelPlan, FunnelStep } from './funnel-plan.ts';
import { overlap } from './overlapping-steps.ts';

/**
 * Bits that say what an event is to a funnel. From the lowest: one for each step, counted from 0; where steps overlap, the number of the first step that the event
 * is; where there are exclusions, one for each step but the last that the event spoils ways behind. So events of one moment, in the order of their codes, are
 * in the order of steps, and events that are no step but spoil are behind them.
 */
export interface EventCodes {
  code: Expression;
  /** All bits of a code. */
  bits: number;
  /** Position of the bit of events that spoil ways that have got to this step; undefined: none does. */
  spoilBit(step: number): number | undefined;
}

const orderBits = 5;

/** Codes of the events of a funnel's first table. Pure. */
export function eventCodes({ steps, exclusions, order, to }: FunnelPlan): EventCodes {
  const overlapping = steps.some((step, index) => steps.slice(index + 1).some((other) => overlap(step, other)));
  const spoilFrom = steps.length + (overlapping ? orderBits : 0);
  // Unordered ways have no place of their own between steps: an exclusion spoils all.
  const spoiled = (exclusion: { from: number; to: number }): number[] =>
    order === 'unordered' ? [0] : Array.from({ length: exclusion.to - exclusion.from }, (_, at) => exclusion.from + at);
  const levels = new Set(exclusions.flatMap(spoiled));
  const conditions = steps.map((step) => stepCondition(step, to));
  const spoiling = sum(
    exclusions.map((exclusion) =>
      call(
        'if',
        eventsWhere({ event: exclusion.event, conditions: exclusion.conditions }),
        constant(spoiled(exclusion).reduce((bits, level) => bits + 2 ** (spoilFrom + level), 0)),
        constant(0),
      ),
    ),
    'bitOr',
  );
  const first = (numberOf: (step: number) => number): Expression =>
    call('multiIf', ...conditions.flatMap((condition, step) => [condition, constant(numberOf(step))]), spoiling);
  return {
    code: overlapping
      ? call(
          'plus',
          sum(
            conditions.map((condition, step) => call('if', condition, constant(2 ** step), constant(0))),
            'plus',
          ),
          first((step) => (step + 1) * 2 ** steps.length),
        )
      : first((step) => 2 ** step),
    bits: spoilFrom + (levels.size === 0 ? 0 : Math.max(...levels) + 1),
    spoilBit: (step) => (levels.has(step) ? spoilFrom + step : undefined),
  };
}

/** Events that are looked at: all in strict order, else those that may be a step or an exclusion. */
export function eventsLookedAt(plan: FunnelPlan): Expression {
  const { from, to, conditions, actor, steps, exclusions, order } = plan;
  const rows = [eventsWhere({ event: null, from, to, conditions })];
  const names = new Set([...steps, ...exclusions].map(({ event }) => event));
  if (order !== 'strict' && !names.has(null))
    rows.push(compare(eventField('event'), 'in', tuple([...names].map(constant))));
  if (actor.sparse) rows.push(compare(call('ifNull', call('toString', actor.id), constant('')), '!=', constant('')));
  return all(...rows);
}

/** May an event that is looked at be neither a step nor an exclusion? In strict order such events count too. */
export function hasOthers({ steps, exclusions, order }: FunnelPlan): boolean {
  if (order === 'strict') return false;
  return ![...steps, ...exclusions].every(
    (node) => node.conditions.members.length === 0 && !('first' in node && node.first !== undefined),
  );
}

function stepCondition(step: FunnelStep, to: string): Expression {
  const condition = eventsWhere({ event: step.event, conditions: step.conditions });
  if (step.first === undefined) return condition;
  return all(condition, compare(eventField('uuid'), 'in', firstEvents(step, step.first, to)));
}

/** First events of persons before the end of the range; of several at one moment one. */
const firstEvents = ({ event, conditions }: FunnelStep, first: 'named' | 'matching', to: string): Statement =>
  template('SELECT argMin(uuid, tuple(timestamp, uuid)) FROM events WHERE {matching} GROUP BY person_id', {
    matching: eventsWhere({ event, to, conditions: first === 'matching' ? conditions : { all: true, members: [] } }),
  });

function sum(numbers: readonly Expression[], name: 'plus' | 'bitOr'): Expression {
  const [firstOne = constant(0), ...others] = numbers;
  return others.reduce<Expression>((left, right) => call(name, left, right), firstOne);
}
