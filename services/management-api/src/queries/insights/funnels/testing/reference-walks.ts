import { momentsOf, type ReferenceFunnel, type SeenEvent } from './reference-events.ts';

/** A way through a funnel: times of its steps, the first of which is its entry. */
interface Way {
  times: readonly number[];
  spoilt: boolean;
}

/** Times of the steps that an actor counts for, of the first way to the deepest one. One state, event by event. */
export function walkInOrder(
  { order, steps, window }: ReferenceFunnel,
  events: readonly SeenEvent[],
): readonly number[] {
  const newest: (Way | undefined)[] = [];
  let deepest: Way = { times: [], spoilt: false };
  const entryOf = (way: Way | undefined): number => way?.times[0] ?? Number.NaN;
  for (const { t, events: own, hasStep, isMixed } of momentsOf(events))
    for (const event of own) {
      if (!hasStep)
        for (const step of event.spoils) {
          const way = newest[step];
          if (way === undefined || way.spoilt || t - entryOf(way) > window) continue;
          if (entryOf(newest[step + 1]) === entryOf(way)) continue;
          newest[step] = { ...way, spoilt: true };
          if (deepest.times.length === step + 1 && t - entryOf(deepest) <= window)
            deepest = { ...deepest, spoilt: true };
        }
      for (const step of event.own.toReversed()) {
        const before: Way | undefined = step === 0 ? { times: [], spoilt: false } : newest[step - 1];
        if (before === undefined) continue;
        const way: Way = { times: [...before.times, t], spoilt: before.spoilt };
        if (t - entryOf(way) > window || entryOf(newest[step]) === entryOf(way)) continue;
        if (!before.spoilt) newest[step] = way;
        if (step + 1 > deepest.times.length || (step + 1 === deepest.times.length && deepest.spoilt)) deepest = way;
      }
      if (order === 'strict' && !isMixed)
        for (let step = 0; step < steps; step += 1) if (!event.steps.includes(step)) newest[step] = undefined;
    }
  return deepest.spoilt ? [] : deepest.times;
}

/** Each entry of an actor by itself, as far as `to`. */
export function walkEntries(
  funnel: ReferenceFunnel,
  events: readonly SeenEvent[],
  { from, to }: { from: number; to: number },
): { t: number; entered: boolean; converted: boolean }[] {
  const moments = new Map(momentsOf(events).map((moment) => [moment.t, moment]));
  return events.flatMap((entry, at) => {
    if (!entry.own.includes(0)) return [];
    let reached = 0;
    for (const event of events.slice(at + 1)) {
      const moment = moments.get(event.t);
      if (event.t - entry.t > funnel.window || reached === to) break;
      if (event.own.includes(reached + 1)) reached += 1;
      else if (event.spoils.includes(reached) && moment?.hasStep === false) return [];
      else if (funnel.order === 'strict' && !event.steps.includes(reached) && moment?.isMixed === false) break;
    }
    return [{ t: entry.t, entered: reached >= from, converted: reached >= to }];
  });
}
