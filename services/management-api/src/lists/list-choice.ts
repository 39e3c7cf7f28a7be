import { AppError } from '@millrace/http/errors/errors.ts';

/** A query parameter that has one of these values. Pure. @throws {AppError} invalid_choice on `attr` */
export function choiceOf<Choice extends string>(attr: string, text: string, known: readonly Choice[]): Choice {
  const found = known.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new AppError('invalid_choice', {
    attr,
    detail: `"${text.slice(0, 100)}" is not a valid choice. Choose one of: ${known.join(', ')}.`,
  });
}
