import { AppError } from '@millrace/http/errors/errors.ts';

/** Longest id, in characters. */
export const idLengthMax = 255;

/** The id that a value stands for, exactly as it is; a number is its digits (contract/decisions 71). Null: nothing, or white space alone. Pure. */
export function entityIdOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** True for an id that is too long. Pure. */
export const isTooLong = (id: string): boolean => [...id].length > idLengthMax;

/** The id in a field of a body. Pure. @throws {AppError} blank; max_length */
export function readEntityId(attr: string, value: string | number): string {
  const id = entityIdOf(value);
  if (id === null) throw new AppError('blank', { attr });
  if (isTooLong(id))
    throw new AppError('max_length', { attr, detail: `Ensure this field has no more than ${idLengthMax} characters.` });
  return id;
}
