import { isLearned, isNumeric, isTime, type ValueType } from '../../types.ts';
import type { PlannedKey, ValueWord } from '../plan.ts';
import { isBucketStart } from './bucket-start.ts';

/** A key, as far as a run depends on it: plain data that is kept with the table. */
export type ServedKey = Pick<
  PlannedKey,
  'isOptional' | 'isPinned' | 'isGroupKey' | 'isExactAtStart' | 'exactFor' | 'bucketFn'
> & {
  /** Null: the value is compared as it comes. */
  readonly wrapper: unknown;
};

/**
 * Does the table answer a run with this value of a variable exactly as the query itself would? `type` is that of the stored column,
 * `timeZone` that of the project. Where it does not, the query itself must be asked.
 */
export function servesValue(key: ServedKey, value: unknown, type: ValueType | undefined, timeZone: string): boolean {
  const isNull = value === null || value === undefined;
  if ((isNull || value === '') && key.isOptional && key.isPinned) return false;
  // Nothing compares with NULL, but a function may make something of it.
  if (isNull && key.wrapper === null) return true;
  const word = isNull ? 'text' : wordOf(value);
  if (word === undefined) return false;
  if (key.exactFor && !key.exactFor.includes(word)) return false;
  if (key.isPinned && type?.kind === 'float' && mayBeZero(key, value)) return false;
  if (key.bucketFn !== null && !isStart(key, key.bucketFn, value, timeZone)) return false;
  return isReadAlike(key, word, type);
}

// The engine groups 0 and -0 apart, and they are equal. A function of the value may be 0 for any.
function mayBeZero({ wrapper }: ServedKey, value: unknown): boolean {
  return wrapper !== null || Number(value) === 0;
}

// A bound inside of a bucket cuts it in two, and so does each of `>` and `<=`.
function isStart({ isExactAtStart }: ServedKey, bucketFn: string, value: unknown, timeZone: string): boolean {
  return isExactAtStart && typeof value === 'string' && isBucketStart(bucketFn, value, timeZone);
}

function wordOf(value: unknown): ValueWord | undefined {
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as ValueWord) : undefined;
}

// A property that is grouped by as a value of its learned type is no longer the text that others are compared with.
function isReadAlike(key: ServedKey, word: ValueWord, type: ValueType | undefined): boolean {
  if (!key.isGroupKey || !type || !isLearned(type)) return true;
  if (isNumeric(type)) return word === 'number' && key.wrapper === null;
  if (type.kind === 'boolean') return word === 'boolean' && key.wrapper === null;
  return isTime(type) && key.bucketFn !== null;
}
