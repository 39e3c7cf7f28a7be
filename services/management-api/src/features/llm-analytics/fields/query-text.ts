import { AppError } from '@millrace/http/errors/errors.ts';
import { isUuid } from '@millrace/runtime/ids.ts';

/** A query parameter without blanks around it; null: absent or empty (contract/llm-surveys 1.4). Pure. */
export const readQueryText = (text = ''): string | null => (text.trim() === '' ? null : text.trim());

/** The whole number that a query parameter names, of any size; null: absent or empty. Pure. @throws {AppError} invalid_input on `attr` */
export function readQueryInteger(attr: string, text: string | undefined): number | null {
  const digits = readQueryText(text);
  if (digits === null || /^[+-]?[0-9]+$/.test(digits)) return digits === null ? null : Number(digits);
  throw new AppError('invalid_input', { attr, detail: 'A valid integer is required.' });
}

/** The id that a query parameter names, in lower case; null: absent or empty. Pure. @throws {AppError} invalid_input on `attr` */
export function readQueryUuid(attr: string, text: string | undefined): string | null {
  const id = readQueryText(text);
  if (id === null || isUuid(id)) return id?.toLowerCase() ?? null;
  throw new AppError('invalid_input', { attr, detail: 'Enter a valid UUID.' });
}
