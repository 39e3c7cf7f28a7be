import { isBare } from '../../tree/tree-nodes.ts';
import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';

/** Functions that cut times to buckets of at most a day, by the engine's names; the longest first. */
export const bucketUnits = [
  'toDate',
  'toStartOfDay',
  'toStartOfHour',
  'toStartOfFifteenMinutes',
  'toStartOfMinute',
] as const;

export type BucketUnit = (typeof bucketUnits)[number];

const unitsByName: ReadonlyMap<string, BucketUnit> = new Map(bucketUnits.map((unit) => [unit.toLowerCase(), unit]));
const truncated: ReadonlyMap<unknown, BucketUnit> = new Map([
  ['day', 'toStartOfDay'],
  ['hour', 'toStartOfHour'],
]);

/** A key of GROUP BY that cuts the time of an event to a bucket. */
export interface BucketKey {
  unit: BucketUnit;
  /** The column `timestamp`, as the key names it. */
  time: Expression;
}

/** The bucket that a key is; undefined for another key. `query`: where it stands; its FROM is `events` alone. */
export function bucketKeyOf(key: Expression, query: SelectQuery): BucketKey | undefined {
  if (key.node !== 'Call' || !isBare(key)) return undefined;
  const isTrunc = /^date_?trunc$/i.test(key.name) && key.args.length === 2;
  const [first, second] = key.args;
  const unit = isTrunc
    ? first?.node === 'Constant' && truncated.get(first.value)
    : key.args.length === 1 && unitsByName.get(key.name.toLowerCase());
  const subject = isTrunc ? second : first;
  const time = subject?.node === 'ReadAs' && subject.type === 'bounded' ? subject.expr : subject;
  return unit && time && isTime(time, query) ? { unit, time } : undefined;
}

function isTime(expr: Expression, { select_from: from }: SelectQuery): boolean {
  if (expr.node !== 'Field') return false;
  const [first, second, ...rest] = expr.chain;
  if (second === undefined) return first === 'timestamp';
  return first === (from?.alias ?? 'events') && second === 'timestamp' && rest.length === 0;
}
