import { AppError } from '@millrace/http/errors/errors.ts';
import { TextTooLarge } from './values/text-too-large.ts';

/** The result of rendering some data. @throws {AppError} 413 request_too_large when its text would be too large */
export function refuseTooLarge<Result>(what: 'data' | 'trace', render: () => Result): Result {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof TextTooLarge)) throw error;
    throw new AppError('request_too_large', {
      detail: `The text of this ${what} would be too large. ${error.message}`,
    });
  }
}
