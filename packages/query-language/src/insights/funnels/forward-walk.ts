import type { Expression } from '../../tree/expressions.ts';
import { call, constant, field } from '../nodes.ts';
import { expressionTemplate } from '../template.ts';
import type { EventCodes } from './event-codes.ts';
import { stepColumn, windowMicroseconds, type FunnelPlan } from './funnel-plan.ts';
import type { Layers } from './layers.ts';
import { overlap } from './overlapping-steps.ts';

/**
 * Walks each actor once through an ordered or strict funnel (contract/insights 6.2). An entry is the time of a first step. `reached_n`
 * holds for each event the entry that gets to step n with it, or 0. Entries only get newer, so that the newest entry at a step is the last one that got there, which
 * `arrayFill` carries on. Adds the columns `depth`, the steps that the actor counts for, 0 for none, and
 * `entry`, whose way is the first to the deepest one.
 */
export function forwardWalk(plan: FunnelPlan, codes: EventCodes, layers: Layers): void {
  const walk: Walk = {
    plan,
    codes,
    layers,
    isStrict: plan.order === 'strict',
    window: constant(windowMicroseconds(plan)),
  };
  if (walk.isStrict) markMixed(walk);
  if (plan.steps.some((_, step) => codes.spoilBit(step) !== undefined)) markSteps(walk);
  for (const step of plan.steps.keys()) addReached(walk, step);
  addEntries(walk);
  addDepth(walk);
}

/** Time at which the way of `entry` got to a step before `depth`. */
export function wayTime(step: number): Expression {
  if (step === 0) return field('entry');
  return expressionTemplate('arrayElement(times, indexOf({reached}, entry))', { reached: field(`reached_${step}`) });
}

interface Walk {
  plan: FunnelPlan;
  codes: EventCodes;
  layers: Layers;
  isStrict: boolean;
  window: Expression;
}

/** `mixed`: are there different events at the moment of an event? Strict ways are not broken there. Events of a moment are in the order of their codes. */
export function markMixed({ plan, layers }: Pick<Walk, 'plan' | 'layers'>): void {
  const s = field(stepColumn(plan));
  layers.add({
    lowest: expressionTemplate(
      'arrayFill(x -> x != 0, arrayMap((c, t, before) -> if(t = before, 0, c + 1), {s}, times, arrayShiftRight(times, 1, 0)))',
      { s },
    ),
    highest: expressionTemplate(
      'arrayReverseFill(x -> x != 0, arrayMap((c, t, after) -> if(t = after, 0, c + 1), {s}, times, arrayShiftLeft(times, 1, 0)))',
      { s },
    ),
  });
  layers.let('mixed', 'arrayMap((a, b) -> a != b, lowest, highest)');
}

/** `step_times`: the time of the last event that is a step, so that exclusions of its moment are known. */
export function markSteps({ plan, layers }: Pick<Walk, 'plan' | 'layers'>): void {
  layers.let('step_times', 'arrayFill(x -> x != 0, arrayMap((s, t) -> if(bitAnd(s, {bits}) != 0, t, 0), {s}, times))', {
    bits: constant(2 ** plan.steps.length - 1),
    s: field(stepColumn(plan)),
  });
}

function addReached(walk: Walk, step: number): void {
  const { codes, layers, window } = walk;
  const bit = constant(step);
  if (step === 0) layers.let('reached_0', 'arrayMap((c, t) -> if(bitTest(c, {bit}), t, 0), codes, times)', { bit });
  else {
    const parts = { bit, window, newest: newestBefore(walk, step) };
    const name = codes.spoilBit(step - 1) === undefined ? `reached_${step}` : `got_${step}`;
    layers.let(
      name,
      'arrayMap((c, t, e) -> if(bitTest(c, {bit}) AND t - e <= {window}, e, 0), codes, times, {newest})',
      parts,
    );
    if (name === `got_${step}`) addSpoilt(walk, step - 1);
  }
}

/** The newest entry at a step, carried on from one event to the next. A strict way is broken by any event that is not the step, for which -1 stands meanwhile. */
function carried({ plan, isStrict }: Walk, step: number, reached: Expression): Expression {
  if (!isStrict) return expressionTemplate('arrayFill(x -> x != 0, {reached})', { reached });
  return expressionTemplate(
    `arrayMap(x -> if(x = -1, 0, x), arrayFill(x -> x != 0,
      arrayMap((e, s, m) -> if(e != 0, e, if(bitTest(s, {bit}) OR m, 0, -1)), {reached}, {steps}, mixed)))`,
    { reached, bit: constant(step), steps: field(stepColumn(plan)) },
  );
}

const newestAt = (walk: Walk, step: number): Expression => carried(walk, step, field(`reached_${step}`));

/** The newest entries at the step before, as they are before each event. An event that is not both steps leaves them as they are. */
function newestBefore(walk: Walk, step: number): Expression {
  const newest = newestAt(walk, step - 1);
  const [before, own] = walk.plan.steps.slice(step - 1);
  const isBoth = before === undefined || own === undefined || overlap(before, own);
  return walk.isStrict || isBoth ? shifted(newest) : newest;
}

const shifted = (array: Expression): Expression => call('arrayShiftRight', array, constant(1), constant(0));

/**
 * Takes out of `got_n` the ways that were spoilt at the step before. `spoils_n`: entries whose way an event spoils at step n. That is an exclusion behind
 * the step, in the window, before the next step, and not at the moment of any step.
 */
function addSpoilt(walk: Walk, step: number): void {
  const { codes, layers, window, plan, isStrict } = walk;
  const got = field(`got_${step + 1}`);
  const before = (array: Expression): Expression => (isStrict ? shifted(array) : array);
  layers.let(
    `spoils_${step}`,
    `arrayMap((s, t, l, e, f) -> if(bitTest(s, {bit}) AND l != t AND t - e <= {window} AND f != e, e, 0),
      {steps}, times, step_times, {newest}, {further})`,
    {
      bit: constant(codes.spoilBit(step) ?? 0),
      window,
      steps: field(stepColumn(plan)),
      newest: before(newestAt(walk, step)),
      further: before(carried(walk, step + 1, got)),
    },
  );
  layers.let(`reached_${step + 1}`, 'arrayMap((e, x) -> if(e = x, 0, e), {got}, arrayFill(x -> x != 0, {spoils}))', {
    got,
    spoils: field(`spoils_${step}`),
  });
}

/**
 * `entry_n`: the first entry to step n that is not spoilt there; 0: none. An entry that is spoilt is healed by the next that gets to the step,
 * unless that is spoilt too. An exclusion spoils all ways at the step whose window it lies in.
 */
function addEntries(walk: Walk): void {
  const { plan, codes, layers, window } = walk;
  const entryOf = (step: number): Expression => {
    const reached = field(`reached_${step}`);
    if (codes.spoilBit(step) === undefined)
      return expressionTemplate('arrayFirst(x -> x != 0, {reached})', { reached });
    return expressionTemplate(
      `arrayFirst((e, x) -> e != 0 AND (x = 0 OR x - e > {window}),
        arrayMap((e, before) -> if(e = before, 0, e), {reached}, {before}),
        arrayReverseFill(x -> x != 0, arrayMap((x, t) -> if(x != 0, t, 0), {spoils}, times)))`,
      { reached, before: shifted(newestAt(walk, step)), spoils: field(`spoils_${step}`), window },
    );
  };
  layers.add(Object.fromEntries(plan.steps.map((_, step) => [`entry_${step}`, entryOf(step)])));
}

function addDepth({ plan, codes, layers }: Walk): void {
  const descending = [...plan.steps.keys()].reverse();
  const isDeep = (step: number): Expression => {
    const isSpoilt = step > 0 && codes.spoilBit(step - 1) !== undefined;
    if (!isSpoilt && codes.spoilBit(step) === undefined)
      return expressionTemplate('{entry} != 0', { entry: field(`entry_${step}`) });
    return expressionTemplate('arrayExists(x -> x != 0, {got})', {
      got: field(`${isSpoilt ? 'got' : 'reached'}_${step}`),
    });
  };
  const depthOf = (step: number): Expression =>
    codes.spoilBit(step) === undefined && (step === 0 || codes.spoilBit(step - 1) === undefined)
      ? constant(step + 1)
      : expressionTemplate('if({entry} != 0, {depth}, 0)', {
          entry: field(`entry_${step}`),
          depth: constant(step + 1),
        });
  const ofDeepest = (valueOf: (step: number) => Expression): Expression =>
    call('multiIf', ...descending.flatMap((step) => [isDeep(step), valueOf(step)]), constant(0));
  layers.add({ depth: ofDeepest(depthOf), entry: ofDeepest((step) => field(`entry_${step}`)) });
}
