import { AppError } from '../errors/errors.ts';

const first = Date.parse('0001-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The moment that a text of the format date-time names. Pure.
 * @throws {AppError} invalid_input for one that the format lets through and that is none for Node or Postgres: a leap second,
 * the year 0, a year of five digits
 */
export function readTime(attr: string, text: string): Date {
  const date = new Date(text);
  if (!(date.getTime() >= first && date.getTime() <= last))
    throw new AppError('invalid_input', { attr, detail: 'This is not a time.' });
  return date;
}
