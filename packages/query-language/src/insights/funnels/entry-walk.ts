import type { Expression } from '../../tree/expressions.ts';
import { constant, field } from '../nodes.ts';
import { expressionTemplate } from '../template.ts';
import type { EventCodes } from './event-codes.ts';
import { markMixed, markSteps } from './forward-walk.ts';
import { neverUs, stepColumn, windowMicroseconds, type FunnelPlan } from './funnel-plan.ts';
import type { Layers } from './layers.ts';
import { countSteps } from './unordered-walk.ts';

/**
 * Walks each entry by itself (contract/insights 6.5), from the last step back to the first. Adds `entered` and `converted`, the intervals of
 * the entries that got to step `from`, and of those that got to step `to`, each interval once.
 */
export function entryWalk(
  plan: FunnelPlan,
  codes: EventCodes,
  layers: Layers,
  { from, to }: { from: number; to: number },
): void {
  const parts =
    plan.order === 'unordered'
      ? countedEntries(plan, codes, layers, { from, to })
      : walkedEntries(plan, codes, layers, { from, to });
  layers.add({
    entered: expressionTemplate('arrayDistinct(arrayFilter((b, e) -> e, buckets, {entered}))', parts),
    converted: expressionTemplate('arrayDistinct(arrayFilter((b, e) -> e, buckets, {converted}))', parts),
  });
}

interface Entries {
  [name: string]: Expression;
  entered: Expression;
  converted: Expression;
}

function countedEntries(
  plan: FunnelPlan,
  codes: EventCodes,
  layers: Layers,
  { from, to }: { from: number; to: number },
): Entries {
  countSteps(plan, codes, layers, to + 1);
  const reaching = (step: number): Expression =>
    expressionTemplate('arrayMap(n -> n > {step}, counts)', { step: constant(step) });
  return { entered: reaching(from), converted: reaching(to) };
}

function walkedEntries(
  plan: FunnelPlan,
  codes: EventCodes,
  layers: Layers,
  { from, to }: { from: number; to: number },
): Entries {
  const isSpoiling = Array.from({ length: to }, (_, step) => codes.spoilBit(step)).some((bit) => bit !== undefined);
  addNextEvents({ plan, codes, layers }, isSpoiling);
  for (let step = to - 1; step >= 0; step -= 1)
    layers.add({
      [`to_${step}`]: endOf({ plan, codes, step }, timesAt(step + 1, to, 'to')),
      ...(step < from && { [`from_${step}`]: endOf({ plan, codes, step }, timesAt(step + 1, from, 'from')) }),
      ...(isSpoiling && {
        [`spoilt_${step}`]: endOf(
          { plan, codes, step },
          step + 1 === to ? undefined : field(`spoilt_${step + 1}`),
          true,
        ),
      }),
    });
  const window = constant(windowMicroseconds(plan));
  const reaching = (ends: Expression): Expression =>
    expressionTemplate(
      isSpoiling
        ? 'arrayMap((c, t, x, s) -> bitTest(c, 0) AND x - t <= {window} AND s - t > {window}, codes, times, {ends}, spoilt_0)'
        : 'arrayMap((c, t, x) -> bitTest(c, 0) AND x - t <= {window}, codes, times, {ends})',
      { window, ends },
    );
  return { entered: reaching(from === 0 ? field('times') : field('from_0')), converted: reaching(field('to_0')) };
}

interface Walk {
  plan: FunnelPlan;
  codes: EventCodes;
  layers: Layers;
}

/** Columns of what the event after each event is; its time is 0 behind the last one. */
function addNextEvents({ plan, layers }: Walk, isSpoiling: boolean): void {
  const isStrict = plan.order === 'strict';
  if (isStrict) markMixed({ plan, layers });
  if (isSpoiling) markSteps({ plan, layers });
  const following = (name: string): Expression =>
    expressionTemplate('arrayShiftLeft({array}, 1, 0)', { array: field(name) });
  layers.add({
    next_times: following('times'),
    next_codes: following('codes'),
    ...(stepColumn(plan) === 'steps' && { next_steps: following('steps') }),
    ...(isStrict && { next_mixed: following('mixed') }),
    ...(isSpoiling && { next_step_times: following('step_times') }),
  });
}

/** Times at which a way gets to the last step, by the event with which it gets to a step. */
const timesAt = (step: number, last: number, name: string): Expression =>
  step === last ? field('times') : field(`${name}_${step}`);

/**
 * For each event: when does a way that has got to the step by then end, `neverUs` for never? The event after it says: if it is the next step, as `then` has it; if it
 * spoils or breaks the way, at once or never; else as it is after that event.
 */
function endOf(
  { plan, codes, step }: { plan: FunnelPlan; codes: EventCodes; step: number },
  then: Expression | undefined,
  spoils = false,
): Expression {
  const steps = field(stepColumn(plan) === 'steps' ? 'next_steps' : 'next_codes');
  const isStrict = plan.order === 'strict';
  const spoilBit = spoils ? codes.spoilBit(step) : undefined;
  const bits = {
    next: constant(step + 1),
    own: constant(step),
    spoil: constant(spoilBit ?? 0),
  };
  return expressionTemplate(
    'arrayReverseFill(x -> x != 0, arrayMap((c, s, t, x, m, l) -> multiIf({branches}, 0), next_codes, {steps}, next_times, {ahead}, {mixed}, {stepTimes}))',
    {
      steps,
      ahead:
        then === undefined ? field('next_times') : expressionTemplate('arrayShiftLeft({ahead}, 1, 0)', { ahead: then }),
      mixed: isStrict ? field('next_mixed') : field('next_times'),
      stepTimes: spoilBit === undefined ? field('next_times') : field('next_step_times'),
      branches: [
        ...branch('t = 0', never),
        ...branch('bitTest(c, {next})', then === undefined ? never : field('x'), bits),
        ...(spoilBit === undefined ? [] : branch('bitTest(s, {spoil}) AND l != t', field('t'), bits)),
        ...(isStrict ? branch('NOT (bitTest(s, {own}) OR m)', never, bits) : []),
      ],
    },
  );
}

const never = constant(neverUs);

const branch = (condition: string, value: Expression, parts: Record<string, Expression> = {}): Expression[] => [
  expressionTemplate(condition, parts),
  value,
];
