import { isLearned, isNumeric, isTime, type ValueType } from '../../types.ts';
import type { PlannedKey, ValueWord } from '../plan.ts';

/** A key, as far as a run depends on it: plain data that is kept with the table. */
export type ServedKey = Pick<PlannedKey, 'isOptional' | 'isPinned' | 'isGroupKey' | 'exactFor' | 'bucketFn'> & {
  readonly wrapper: unknown;
};

/**
 * Does the table answer a run with this value of a variable exactly as the query itself would? `type` is that of the stored column. Where
 * it does not, the query itself must be asked.
 */
export function servesValue(key: ServedKey, value: unknown, type?: ValueType): boolean {
  const isNone = value === null || value === undefined || value === '';
  if (isNone && key.isOptional && key.isPinned) return false;
  if (value === null || value === undefined) return true;
  const word = wordOf(value);
  if (word === undefined) return false;
  if (key.exactFor && !key.exactFor.includes(word)) return false;
  // The engine groups 0 and -0 apart, and they are equal.
  if (key.isPinned && type?.kind === 'float' && Number(value) === 0) return false;
  return isReadAlike(key, word, type);
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
