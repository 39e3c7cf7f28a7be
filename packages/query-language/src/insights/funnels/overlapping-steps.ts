import type { FunnelStep } from './funnel-plan.ts';

/** Steps that the same events may be. */
interface Overlap {
  /** Number of steps. */
  size: number;
  /** Sets of them by which it can be said how many are done at once: the bits of their codes, and how many steps they are. */
  sets: readonly { bits: number; steps: number }[];
}

/** Different steps that one event may be, at most: there are 31 sets of them. */
export const differentOverlapsMax = 5;

/** Groups of steps, of which no event is in two. Steps that are the same belong to a set together: leaving one of them out says less. Pure. */
export function overlappingSteps(steps: readonly FunnelStep[]): Overlap[] {
  return groups(steps).map((group) => {
    const kinds = kindsOf(group.map((step) => ({ step, kind: JSON.stringify(steps[step]) })));
    const sets = Array.from({ length: 2 ** kinds.length - 1 }, (_, at) => {
      const chosen = kinds.flatMap((kind, bit) => (Math.floor((at + 1) / 2 ** bit) % 2 === 1 ? kind : []));
      return { bits: chosen.reduce((bits, step) => bits + 2 ** step, 0), steps: chosen.length };
    });
    return { size: group.length, sets };
  });
}

/** Different steps of the group that has most of them. Pure. */
export const mostDifferent = (steps: readonly FunnelStep[]): number =>
  Math.max(...groups(steps).map((group) => new Set(group.map((step) => JSON.stringify(steps[step]))).size));

/** May an event be both steps? Pure. */
export const overlap = (step: FunnelStep, other: FunnelStep): boolean =>
  step.event === null || other.event === null || step.event === other.event;

function groups(steps: readonly FunnelStep[]): number[][] {
  const found: number[][] = [];
  for (const [index, step] of steps.entries()) {
    const joined = found.filter((group) => group.some((other) => overlap(step, steps[other] ?? step)));
    for (const group of joined) found.splice(found.indexOf(group), 1);
    found.push([...joined.flat(), index]);
  }
  return found;
}

function kindsOf(members: readonly { step: number; kind: string }[]): number[][] {
  const kinds = new Map<string, number[]>();
  for (const { step, kind } of members) kinds.set(kind, [...(kinds.get(kind) ?? []), step]);
  return [...kinds.values()];
}
