import { momentsOf, type ReferenceFunnel, type SeenEvent } from './reference-events.ts';

/** Times of the steps of the first way that has most of them. */
export function walkUnordered(funnel: ReferenceFunnel, events: readonly SeenEvent[]): readonly number[] {
  let best: readonly number[] = [];
  for (const times of waysFrom(funnel, events, funnel.steps)) if (times.length > best.length) best = times;
  return best;
}

/** Each event that is a step as the beginning of a way. */
export function entriesUnordered(
  funnel: ReferenceFunnel,
  events: readonly SeenEvent[],
  { from, to }: { from: number; to: number },
): { t: number; entered: boolean; converted: boolean }[] {
  return waysFrom(funnel, events, to + 1).map((times, at) => ({
    t: events[at]?.t ?? 0,
    entered: times.length > from,
    converted: times.length > to,
  }));
}

/** For each event the times of the steps that are made in the window that begins with it; none of a way that an exclusion forgets. */
function waysFrom({ window, steps }: ReferenceFunnel, events: readonly SeenEvent[], needed: number): number[][] {
  const quiet = new Set(momentsOf(events).flatMap(({ t, hasStep }) => (hasStep ? [] : [t])));
  return events.map((first, at) => {
    if (!first.starts) return [];
    const times: number[] = [];
    const used: SeenEvent[] = [];
    for (const event of events.slice(at)) {
      if (event.t - first.t > window) break;
      if (event.spoils.length > 0 && quiet.has(event.t)) return times.length >= needed ? times : [];
      used.push(event);
      while (mostSteps(used, steps) > times.length) times.push(event.t);
    }
    return times;
  });
}

/** The most different steps that these events can be, each event one: every choice is tried, until nothing better can come. */
function mostSteps(events: readonly SeenEvent[], steps: number): number {
  const [first, ...others] = events.filter(({ own }) => own.length > 0);
  if (first === undefined || steps === 0) return 0;
  const possible = Math.min(steps, others.length + 1);
  let most = 0;
  for (const step of first.own) {
    const left = others.map((event) => ({ ...event, own: event.own.filter((own) => own !== step) }));
    most = Math.max(most, 1 + mostSteps(left, steps - 1));
    if (most === possible) return most;
  }
  return Math.max(most, mostSteps(others, steps));
}
