import type { Expression } from '../../tree/expressions.ts';
import { call, constant, field, list } from '../nodes.ts';
import { expressionTemplate } from '../template.ts';
import type { EventCodes } from './event-codes.ts';
import { neverUs, windowMicroseconds, type FunnelPlan } from './funnel-plan.ts';
import type { Layers } from './layers.ts';
import { overlappingSteps } from './overlapping-steps.ts';

/**
 * Counts for each event of an actor the different steps in the window that begins with it (contract/insights 6.2). `needed` of them are a finished
 * way, and an exclusion in the window of an unfinished one forgets it. Adds `counts`, and `done_n` as `addDoneTimes` does.
 */
export function countSteps(plan: FunnelPlan, codes: EventCodes, layers: Layers, needed: number): void {
  const steps = [...plan.steps.keys()];
  const isSpoiling = codes.spoilBit(0) !== undefined;
  const window = constant(windowMicroseconds(plan));
  addDoneTimes(plan, layers);
  if (isSpoiling) layers.add({ spoils: nextSpoiling(plan, codes) });
  const isIn = (step: number): Expression =>
    expressionTemplate(
      isSpoiling
        ? 'arrayMap((n, t, x) -> n - t <= {window} AND (x = 0 OR n < x), {done}, times, spoils)'
        : 'arrayMap((n, t) -> n - t <= {window}, {done}, times)',
      { window, done: field(`done_${step}`) },
    );
  layers.add({ done: sumOf(steps.map(isIn)) });
  const parts = { window, needed: constant(needed) };
  const starts = typeof plan.breakdown?.attribution === 'object' ? field('starts') : field('times');
  layers.add({
    counts: isSpoiling
      ? expressionTemplate(
          'arrayMap((n, t, x, s) -> if(s = 0 OR (n < {needed} AND x != 0 AND x - t <= {window}), 0, n), done, times, spoils, {starts})',
          { ...parts, starts },
        )
      : expressionTemplate('arrayMap((n, s) -> if(s = 0, 0, n), done, {starts})', { starts }),
  });
}

/** Time at which the way got to a step before `depth`. */
export const doneTime = (step: number): Expression =>
  expressionTemplate('arrayElement(way, {place})', { place: constant(step + 1) });

/** Walks each actor once: `depth`, and the times of the first way that gets so far, in order as `way`. */
export function unorderedWalk(plan: FunnelPlan, codes: EventCodes, layers: Layers): void {
  countSteps(plan, codes, layers, plan.steps.length);
  layers.let('depth', 'arrayMax(counts)');
  layers.let('begin', 'indexOf(counts, depth)');
  const done = plan.steps.map((_, step) => call('arrayElement', field(`done_${step}`), field('begin')));
  layers.let('way', 'arraySort({done})', { done: list(done) });
}

/**
 * Adds `done_n`, times for each event from it on, `neverUs` for never. A step that no other overlaps is done by its next event. Of steps that overlap, an event can do one:
 * m of them are done together when every set of them has so many events that all but as many as are left of the m find one (Hall's theorem).
 */
function addDoneTimes({ steps }: FunnelPlan, layers: Layers): void {
  let place = 0;
  for (const { size, sets } of overlappingSteps(steps)) {
    for (const [at, { bits, steps: needed }] of sets.entries())
      addNextTimes(layers, `set_${place}_${at}`, bits, needed);
    const done = Array.from({ length: size }, (_, count) => {
      const ends = sets.flatMap(({ steps: needed }, at) => {
        const nth = needed - (size - count - 1);
        return nth > 0 ? [field(`set_${place}_${at}_${nth}`)] : [];
      });
      return [`done_${place + count}`, latestOf(ends)] as const;
    });
    layers.add(Object.fromEntries(done));
    place += size;
  }
}

/** Adds the times of the next `count` events with one of the bits, as `<name>_1` …, from each event on. */
function addNextTimes(layers: Layers, name: string, bits: number, count: number): void {
  const parts = { bits: constant(bits), never: constant(neverUs) };
  for (let nth = 1; nth <= count; nth += 1)
    layers.let(
      `${name}_${nth}`,
      nth === 1
        ? `arrayMap(x -> if(x = 0, {never}, x), arrayReverseFill(x -> x != 0,
            arrayMap((c, t) -> if(bitAnd(c, {bits}) != 0, t, 0), codes, times)))`
        : `arrayMap(x -> if(x = 0, {never}, x), arrayReverseFill(x -> x != 0,
            arrayMap((c, n) -> if(bitAnd(c, {bits}) != 0, n, 0), codes, arrayShiftLeft({before}, 1, {never}))))`,
      { ...parts, before: field(`${name}_${nth - 1}`) },
    );
}

function latestOf(arrays: readonly Expression[]): Expression {
  const [first, ...others] = arrays;
  if (first === undefined) throw new Error('steps without a set of themselves');
  return others.reduce(
    (one, other) => expressionTemplate('arrayMap((a, b) -> if(a < b, b, a), {one}, {other})', { one, other }),
    first,
  );
}

/** Time of the next exclusion that is not at the moment of a step. */
function nextSpoiling({ steps }: FunnelPlan, codes: EventCodes): Expression {
  return expressionTemplate(
    `arrayReverseFill(x -> x != 0, arrayMap((c, t, l) -> if(bitTest(c, {bit}) AND l != t, t, 0), codes, times,
      arrayFill(x -> x != 0, arrayMap((c, t) -> if(bitAnd(c, {bits}) != 0, t, 0), codes, times))))`,
    { bit: constant(codes.spoilBit(0) ?? 0), bits: constant(2 ** steps.length - 1) },
  );
}

function sumOf(arrays: readonly Expression[]): Expression {
  const [first, ...others] = arrays;
  if (first === undefined) throw new Error('a funnel of no steps');
  return others.reduce(
    (left, right) => expressionTemplate('arrayMap((a, b) -> a + b, {left}, {right})', { left, right }),
    first,
  );
}
