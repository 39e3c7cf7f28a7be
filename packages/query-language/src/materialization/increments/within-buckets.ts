import type { CompareOperation, Constant, Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { allOf, joined } from '../selects/tree-conditions.ts';
import { meantBy, valueOf, outputName } from '../selects/select-shape.ts';
import type { PlannedBuckets } from './plan-buckets.ts';

/** A bucket, as the engine says what it is. */
export interface Bucket {
  /** Number in the stored column: seconds since 1970, or days of a date. */
  value: number;
  /** Seconds since 1970 in which all its events are, and maybe some of others: `from` is the first, `to` is behind the last. */
  from: number;
  to: number;
}

/** Times that all functions of buckets cut as they should. Others may fall into any bucket (seconds since 1970: 1970-02-01, 2100-01-01). */
export const soundTimes = { from: 2_678_400, to: 4_102_444_800 } as const;

/**
 * The build of these buckets alone: their rows are those of a whole build. The values say which buckets, the ranges of time only spare the
 * engine the rest, by its primary key. Pure.
 */
export function withinBuckets({ query, key, column, unit }: PlannedBuckets, buckets: readonly Bucket[]): SelectQuery {
  const selected = query.select.find((item) => outputName(item) === column);
  if (selected === undefined) throw new Error('a planned bucket is a column of its build');
  const { time } = key;
  const ranges = mergedRanges(buckets).map(({ from, to }) =>
    joined('And', [compared(time, '>=', momentText(from)), compared(time, '<', momentText(to))], time),
  );
  const elsewhere = [compared(time, '<', momentText(soundTimes.from)), compared(time, '>=', momentText(soundTimes.to))];
  const values: Expression = {
    node: 'Tuple',
    exprs: buckets.map(({ value }) => text(unit === 'toDate' ? dayText(value) : momentText(value))),
    start: time.start,
    end: time.end,
  };
  const isOne: CompareOperation = {
    node: 'CompareOperation',
    left: meantBy(valueOf(selected), query),
    op: 'in',
    right: values,
    start: time.start,
    end: time.end,
  };
  const where = allOf([...(query.where ? [query.where] : []), joined('Or', [...ranges, ...elsewhere], time), isOne]);
  return { ...query, ...(where && { where }) };
}

/** Ranges without those that are inside or right behind one another. */
function mergedRanges(buckets: readonly Bucket[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of buckets.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

function compared(left: Expression, op: CompareOperation['op'], moment: string): CompareOperation {
  return { node: 'CompareOperation', left, op, right: text(moment), start: left.start, end: left.end };
}

function text(value: string): Constant {
  return { node: 'Constant', value, start: 0, end: 0 };
}

const momentText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '');
const dayText = (days: number): string => momentText(days * 86_400).slice(0, 10);
