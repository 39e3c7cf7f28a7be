import { none } from '../source-map/segments.ts';

/** Lines of the compiled code that a line of a mapping is about; an `end` of 0: it does not say them. */
interface LineRange {
  start: number;
  end: number;
}

/**
 * Lines of methods of one name, as spans that do not overlap, ascending: the first line of each, and the index of the first method whose range
 * contains its lines, `none` where no range does. A method has two spans at most. Pure; n log n steps, however ranges overlap.
 */
export function lineSpans(methods: readonly LineRange[]): LineSpans {
  return ascendingSpans(methods) ?? overlappingSpans(methods);
}

interface LineSpans {
  firstLines: number[];
  indices: number[];
}

/** Spans of ranges as compilers write them, in a third of the time; null when they do not ascend, or overlap. */
function ascendingSpans(methods: readonly LineRange[]): LineSpans | null {
  const firstLines: number[] = [];
  const indices: number[] = [];
  let before: LineRange | undefined;
  for (const [index, range] of methods.entries()) {
    const { start, end } = range;
    if (end === 0 || (start === before?.start && end === before.end)) continue;
    if (end < start || (before !== undefined && start <= before.end)) return null;
    if (before !== undefined && start > before.end + 1) {
      firstLines.push(before.end + 1);
      indices.push(none);
    }
    firstLines.push(start);
    indices.push(index);
    before = range;
  }
  if (before !== undefined) {
    firstLines.push(before.end + 1);
    indices.push(none);
  }
  return { firstLines, indices };
}

function overlappingSpans(methods: readonly LineRange[]): LineSpans {
  const bounds = boundsOf(methods);
  const spanAt = new Map(bounds.map((line, span) => [line, span]));
  const owners = bounds.map(() => none);
  /** The next span without an owner, from each. */
  const free = [...bounds.keys(), bounds.length];
  for (const [index, { start, end }] of methods.entries()) {
    if (end === 0) continue;
    const last = spanAt.get(end + 1) as number;
    for (let span = nextFree(free, spanAt.get(start) as number); span < last; span = nextFree(free, span)) {
      owners[span] = index;
      free[span] = span + 1;
    }
  }
  const isFirst = (_: number, span: number): boolean => span === 0 || owners[span] !== owners[span - 1];
  return { firstLines: bounds.filter(isFirst), indices: owners.filter(isFirst) };
}

/** Lines at which ranges begin, and those behind their ends, ascending. */
function boundsOf(methods: readonly LineRange[]): number[] {
  const bounds = new Set<number>();
  for (const { start, end } of methods) if (end !== 0) bounds.add(start).add(end + 1);
  return [...bounds].sort((one, other) => one - other);
}

/** Paths are shortened while they are walked. */
function nextFree(free: number[], from: number): number {
  let span = from;
  for (let next = free[span] as number; next !== span; next = free[span] as number) {
    free[span] = free[next] as number;
    span = next;
  }
  return span;
}
